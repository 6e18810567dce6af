// The GPU of a worker, with the context's compiler.
#pragma once

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

class WorkerGpu : public MeasuringGpu {
 public:
  /// Both must outlive it, the context also its pool; the client's GPU is the context's device.
  WorkerGpu(const TuningContext& context, worker::GpuClient& client) : context_(context), client_(client) {}

  const Device& device() const override { return context_.device; }
  std::vector<std::shared_future<CompiledProgram>> compile(const std::vector<Program>& programs) override;
  void give_up(const std::vector<Program>& programs) override {
    context_.build.compiler.give_up(context_.device.arch(), programs);
  }
  std::size_t compilers() const override { return context_.build.pool.size(); }
  void select(const Problem& problem, const std::vector<Input>& inputs) override;
  gpu::Rates ceilings(std::int64_t bytes, std::int64_t bus_bytes) override {
    return client_.ceilings(bytes, bus_bytes);
  }
  worker::TrialReply trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) override;
  worker::RoundsReply rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) override;
  conformance::PropertyReport run_property(const Kernel& kernel, const conformance::PropertyOptions& options) override;
  std::string cannot_simulate() const override;
  void compile_for_simulator(const std::vector<Program>& programs) override;
  std::future<conformance::PropertyReport> judge(const Kernel& kernel, conformance::PropertyOptions options) override;
  std::vector<worker::BaselineInfo> callables(const Problem& problem) override { return client_.callables(problem); }
  std::string broken_law(const Problem& problem, const worker::BaselineInfo& offer, const worker::KnobsInfo& knobs,
                         std::uint64_t seed) override;

 private:
  const TuningContext& context_;
  worker::GpuClient& client_;
};

}  // namespace warpwright::tuner
