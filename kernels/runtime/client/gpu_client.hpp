// The parent's side of a GPU worker: problems, trials and rounds as calls, with hangs and faults as verdicts.
#pragma once

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "kernels/runtime/client/process.hpp"
#include "kernels/runtime/messages/requests.hpp"

namespace warpwright::worker {

/// The GPUs of this computer. Throws std::runtime_error that says what to do when there is no driver or no GPU.
std::vector<gpu::GpuInfo> list_gpus(Process& process);

/// How long runs of a configuration may take, and the verdict on those that take longer.
struct RunLimit {
  std::chrono::milliseconds time;
  Verdict beyond;
};

/// Each of `runs` may take a hundred times as long as one of the reference; beyond that it hangs. If it is known how
/// slow is too slow, the `first` of them decide: each may take that long, and twice the reference besides, for
/// verifying it.
RunLimit limit_of_runs(int runs, int first, double reference_us, double too_slow_us, std::chrono::milliseconds least);

/// One GPU and the worker that holds its buffers. A worker that hangs, faults, or saw its inputs or guards overwritten
/// is replaced; the next call sets the problem up again by itself.
class GpuClient {
 public:
  /// `program` is the worker that is started: an ordinary one or one with baselines; its calls obey `stop`.
  GpuClient(gpu::GpuInfo info, const CompiledProgram& support, std::filesystem::path program = worker_program(),
            const Stop& stop = {});

  const gpu::GpuInfo& info() const { return info_; }
  Process& process() { return process_; }

  /// Selects the problem of the calls that follow. `key` tells problems apart. The input of a set-up changes with its
  /// seeds. A run may take `more_us` on top of the reference's time, such as its way over the bus.
  void select(std::string key, const gpu::ProblemSetup& setup, double more_us = 0);

  /// Verifies the candidate on every input (if asked) and takes samples. One run that is longer than
  /// `sampling.too_slow_us` is enough for that verdict.
  TrialReply trial(gpu::Candidate candidate, bool verify, const gpu::Sampling& sampling);

  /// Runs a callable of the worker once on these inputs, its outputs filled with `poison` before; gives the out and
  /// inout buffers among `buffers`, in order. Throws std::runtime_error when it fails.
  std::vector<Bytes> run_callable(const gpu::CallableChoice& choice, const std::vector<Buffer>& buffers,
                                  const std::vector<Bytes>& inputs, std::uint8_t poison);

  /// Interleaved samples of finalists.
  RoundsReply rounds(std::vector<gpu::Candidate> candidates, int rounds, std::uint64_t seed);

  /// The times of the steps of a finalist's plan, medians over `runs` runs; none where they cannot be had.
  std::vector<gpu::StepTime> step_times(const gpu::Candidate& candidate, int runs);

  /// The worker's callables for that problem. Throws std::runtime_error when it does not answer.
  std::vector<BaselineInfo> callables(const Problem& problem);

  /// GB/s of copying and reading arrays of so many bytes, and of the bus for copies of `bus_bytes` (0: not measured).
  /// Throws std::runtime_error when the device fails.
  gpu::Rates ceilings(std::int64_t bytes, std::int64_t bus_bytes = 0);
  double sensor_ratio();
  gpu::Sensors sensors();

 private:
  template <class R>
  typename R::Reply call_or_throw(R request);
  /// Sets the problem up in the worker if it is not there yet.
  void prepare();
  /// A call about the problem, for so many runs of configurations. A lost worker is replaced, and asked again; but not
  /// after a run that is too slow.
  template <class R>
  Answered<typename R::Reply> call_prepared(R request, int runs, std::chrono::milliseconds least, int first = 0,
                                            double too_slow_us = std::numeric_limits<double>::infinity());

  gpu::GpuInfo info_;
  Process process_;
  std::string key_;
  SelectProblem problem_;
  int ready_worker_ = 0;     ///< has the problem set up; 0: none
  double reference_us_ = 0;  ///< a run of the problem's reference there
  double more_us_ = 0;
  bool was_too_slow_ = false;  ///< the last call about the problem
  double setting_up_us_ = 0;   ///< the time of that since the last trial
};

}  // namespace warpwright::worker
