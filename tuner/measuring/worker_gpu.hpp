// A GPU that is used through a worker process, with the context's compiler.
#pragma once

#include <mutex>

#include "kernels/system/stop.hpp"
#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// Controls access to one GPU. All GPUs of a computer share the bus.
class GpuAccess {
 public:
  explicit GpuAccess(std::mutex& bus) : bus_(bus) {}

  /// Declares whether the following calls transfer data over the bus. If so they use it alone, because transfers of
  /// another GPU would falsify the times.
  void set_crosses_bus(bool crosses) { crosses_bus_ = crosses; }

  /// Any exception of the call except Stopped and AnswersLate becomes GpuLost.
  template <class Call>
  auto call(const Call& call) {
    std::unique_lock<std::mutex> bus(bus_, std::defer_lock);
    if (crosses_bus_) bus.lock();
    try {
      return call();
    } catch (const Stopped&) {
      throw;
    } catch (const worker::AnswersLate&) {
      throw;
    } catch (const std::exception& fault) {
      throw GpuLost(fault.what(), std::current_exception());
    }
  }

 private:
  std::mutex& bus_;
  bool crosses_bus_ = false;
};

class WorkerGpu : public MeasuringGpu {
 public:
  /// All must outlive it, the context also its pool; the client's GPU is the context's device. All GPUs of a computer
  /// share `bus`.
  WorkerGpu(const TuningContext& context, worker::GpuClient& client, std::mutex& bus)
      : context_(context), client_(client), access_(bus) {}

  const Device& device() const override { return context_.device; }
  std::vector<worker::CompileResult> compile(const std::vector<Program>& programs, worker::Urgency urgency) override;
  void give_up(const std::vector<Program>& programs) override {
    context_.build.compiler.give_up(context_.device.arch(), programs);
  }
  std::size_t compilers() const override { return context_.build.pool.size(); }
  void select(const Problem& problem, const std::vector<Input>& inputs, Budget::End end) override;
  double set_up() override {
    return access_.call([&] { return client_.set_up(); });
  }
  gpu::Rates rates(std::int64_t bytes, std::int64_t bus_bytes) override;
  worker::TrialReply trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) override;
  worker::RoundsReply rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) override;
  std::vector<gpu::StepTime> step_times(const gpu::Candidate& candidate, int runs) override;
  gpu::Repeated repeat(const gpu::Candidate& candidate, bool has_energy, bool replays) override;
  conformance::PropertyReport run_property(const Kernel& kernel, const conformance::PropertyOptions& options) override;
  std::string cannot_simulate() const override;
  void compile_for_simulator(const std::vector<Program>& programs, worker::Urgency urgency) override;
  std::future<conformance::PropertyReport> simulate(const Kernel& kernel, conformance::PropertyOptions options,
                                                    worker::Urgency urgency) override;
  std::future<Simulated> trace(const Kernel& kernel, const Point& params, const Problem& problem,
                               Budget::End end) override;
  std::vector<worker::BaselineInfo> callables(const Problem& problem) override;
  std::string broken_law(const Problem& problem, const worker::BaselineInfo& library, const worker::KnobsInfo& knobs,
                         std::uint64_t seed) override;

 private:
  const TuningContext& context_;
  worker::GpuClient& client_;
  GpuAccess access_;
};

}  // namespace warpwright::tuner
