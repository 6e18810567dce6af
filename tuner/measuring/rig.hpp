// A board among several that measure side by side, and what all of them share.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include "tuner/measuring/gpu_watch.hpp"
#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/records/recorder.hpp"
#include "tuner/tasks/turn.hpp"

namespace warpwright::tuner {

/// What the threads of a run share, a thread for each board. Searches, store and totals are for one of them at a time;
/// it lets go of them while it waits for a GPU, a compiler or a judge.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;   ///< a cost was told, work was given back, or something ended
  std::mutex bus;                    ///< the boards of a machine cross it one at a time
  std::atomic<bool> failed = false;  ///< something failed that is no board's fault: all end
};

/// A board that does its work no more. What it was at is given to the others, where there are any.
class GpuLost : public std::exception {
 public:
  GpuLost(std::string text, std::exception_ptr cause) : text_(std::move(text)), cause_(std::move(cause)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  const std::exception_ptr& cause() const { return cause_; }

 private:
  std::string text_;
  std::exception_ptr cause_;
};

/// A GPU whose answers are waited for without the turn; what it throws, but for Stopped, is GpuLost.
class RigBench : public MeasuringGpu {
 public:
  RigBench(Shared& shared, Turn& turn, MeasuringGpu& bench) : shared_(shared), turn_(turn), bench_(bench) {}

  MeasuringGpu& behind() const { return bench_; }

  /// Whether the problem that follows crosses the bus, which the boards of a machine share.
  void set_crosses_bus(bool crosses) { crosses_bus_ = crosses; }

  const Device& device() const override { return bench_.device(); }
  std::vector<std::shared_future<CompiledProgram>> compile(const std::vector<Program>& programs) override;
  void give_up(const std::vector<Program>& programs) override { bench_.give_up(programs); }
  std::size_t compilers() const override { return bench_.compilers(); }
  void select(const Problem& problem, const std::vector<Input>& inputs) override;
  gpu::Rates ceilings(std::int64_t bytes, std::int64_t bus_bytes) override;
  worker::TrialReply trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) override;
  worker::RoundsReply rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) override;
  conformance::PropertyReport run_property(const Kernel& kernel, const conformance::PropertyOptions& options) override;
  std::string cannot_simulate() const override { return bench_.cannot_simulate(); }
  void compile_for_simulator(const std::vector<Program>& programs) override { bench_.compile_for_simulator(programs); }
  /// Its future is to be asked by the thread of this board.
  std::future<conformance::PropertyReport> judge(const Kernel& kernel, conformance::PropertyOptions options) override;
  std::vector<worker::BaselineInfo> callables(const Problem& problem) override;
  std::string broken_law(const Problem& problem, const worker::BaselineInfo& offer, const worker::KnobsInfo& knobs,
                         std::uint64_t seed) override;

 private:
  template <class Call>
  auto ask(const Call& call);

  Shared& shared_;
  Turn& turn_;
  MeasuringGpu& bench_;
  bool crosses_bus_ = false;
};

/// What a thread measures with. All that it is given must outlive it, and it whatever it measured.
class Rig {
 public:
  using Clock = std::chrono::steady_clock;

  Rig(Shared& shared, MeasuringGpu& gpu, Recorder& stores, GpuWatch& watches)
      : turn(shared.mutex, std::defer_lock), bench(shared, turn, gpu), recorder(stores), watch(watches) {}

  void rest(Clock::duration for_so_long) { rests_until_ = Clock::now() + for_so_long; }
  /// Its clock was held back a moment ago.
  bool rests() const { return Clock::now() < rests_until_; }

  Turn turn;
  RigBench bench;
  Recorder& recorder;
  GpuWatch& watch;
  const void* selected = nullptr;  ///< who had a problem selected last

 private:
  Clock::time_point rests_until_{};
};

}  // namespace warpwright::tuner
