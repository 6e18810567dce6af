// The parent's side of a GPU worker: problems, trials and rounds as calls, with hangs and faults as verdicts.
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/runtime/client/process.hpp"
#include "kernels/runtime/messages/requests.hpp"

namespace warpwright::worker {

/// The GPUs of this computer. Throws std::runtime_error that says what to do if there is no driver or no GPU.
std::vector<gpu::GpuInfo> list_gpus(Process& process);

/// The right answers of a problem, which a function of the CPU computes, were not ready in time.
class AnswersLate : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Time limit for the runs of a configuration, and the verdict on those that exceed it.
struct RunLimit {
  std::chrono::milliseconds time;
  Verdict beyond;
};

/// Each of `runs` may take a hundred times as long as a run of the reference; beyond that it hangs. If a limit for "too
/// slow" is known, the `first` runs decide: each may take that long, plus twice the reference's time for verifying.
RunLimit limit_of_runs(int runs, int first, double reference_us, double too_slow_us, std::chrono::milliseconds least);

/// One GPU and the worker that has its buffers. A worker is replaced if it hangs, faults, or finds its inputs or guards
/// overwritten; the next call sets the problem up again.
class GpuClient {
 public:
  /// `program` is the worker to start, with or without baselines; calls obey `stop`.
  GpuClient(gpu::GpuInfo info, const CompiledProgram& support, std::filesystem::path program = worker_program(),
            const Stop& stop = {});

  const gpu::GpuInfo& info() const { return info_; }
  Process& process() { return process_; }

  /// Selects the problem for the following calls. `key` identifies the problem. The input of a set-up changes with its
  /// seeds. A run may take `more_us` longer than the reference, for example for copies over the bus. Where a function
  /// of the CPU computes the right answers, inputs but the last are left out if all would take half of the time until
  /// `end`, and the calls below throw AnswersLate if the last one's are not ready then.
  void select(std::string key, const gpu::ProblemSetup& setup, double more_us = 0,
              std::optional<Stop::Clock::time_point> end = std::nullopt);

  /// Sets the selected problem up now, and not with the next call about it. Returns how many microseconds that took;
  /// the next trial does not count them.
  double set_up();

  /// Verifies the candidate on every input (if requested) and takes samples. One run longer than `sampling.too_slow_us`
  /// is enough for the verdict "too slow".
  TrialReply trial(gpu::Candidate candidate, bool verify, const gpu::Sampling& sampling);

  /// Runs a callable of the worker once on these inputs, with outputs filled with `poison`. Returns the out and inout
  /// buffers among `buffers`, in order. Throws std::runtime_error if it fails.
  std::vector<Bytes> run_callable(const gpu::CallableChoice& choice, const std::vector<Buffer>& buffers,
                                  const std::vector<Bytes>& inputs, std::uint8_t poison);

  /// Interleaved samples of finalists.
  RoundsReply rounds(std::vector<gpu::Candidate> candidates, int rounds, std::uint64_t seed);

  /// The times of the steps of a finalist's plan, medians over `runs` runs; empty if they cannot be measured.
  std::vector<gpu::StepTime> step_times(const gpu::Candidate& candidate, int runs);

  /// The energy of a run of a plan, and its time in a graph, if requested; nothing if that cannot be measured.
  gpu::Repeated repeat(const gpu::Candidate& candidate, bool has_energy, bool replays);

  /// The worker's callables for that problem. Throws std::runtime_error if it does not answer.
  std::vector<BaselineInfo> callables(const Problem& problem);

  /// GB/s of copying and reading arrays of `bytes` bytes, and of the bus for copies of `bus_bytes` (0: not measured).
  /// Throws std::runtime_error if the device fails.
  gpu::Rates rates(std::int64_t bytes, std::int64_t bus_bytes = 0);
  double sensor_ratio();
  gpu::Sensors sensors();

 private:
  template <class R>
  typename R::Reply call_or_throw(R request);
  /// Sets the problem up in the worker if it is not there yet.
  void prepare();
  /// Calls the worker about the problem, with a limit for this many runs of configurations. A lost worker is replaced
  /// and called again, except after a run that was too slow.
  template <class R>
  Answered<typename R::Reply> call_prepared(R request, int runs, std::chrono::milliseconds least, int first = 0,
                                            double too_slow_us = std::numeric_limits<double>::infinity());

  gpu::GpuInfo info_;
  Process process_;
  std::string key_;
  SelectProblem problem_;
  int ready_worker_ = 0;     ///< has the problem set up; 0: none
  double reference_us_ = 0;  ///< time of a run of the problem's reference there
  double more_us_ = 0;
  int left_out_ = 0;  ///< inputs that were not set up
  std::optional<Stop::Clock::time_point> end_;
  bool was_too_slow_ = false;  ///< whether the last call about the problem was
  double setting_up_us_ = 0;   ///< set-up time since the last trial
};

}  // namespace warpwright::worker
