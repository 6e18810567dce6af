// A problem set up on a GPU. Its inputs and expected results stay there, while configurations are verified and timed
// one after the other on the same buffers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/core/verdict.hpp"
#include "kernels/model/pattern.hpp"
#include "kernels/runtime/cuda/callable_runner.hpp"
#include "kernels/runtime/cuda/gpu_context.hpp"
#include "kernels/runtime/cuda/gpu_timer.hpp"
#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"
#include "kernels/runtime/messages/gpu.hpp"
#include "kernels/runtime/messages/sampling.hpp"
#include "kernels/runtime/messages/step_times.hpp"

namespace warpwright::gpu {

class ProblemOnGpu {
 public:
  /// Makes buffers, inputs and expected results. Throws DriverError, also if memory is too small. `callables` are those
  /// that candidates may name. The last input is prepared first; the others are left out if they would be ready after
  /// so many seconds (0: never).
  ProblemOnGpu(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules, ProblemSetup setup,
               const std::vector<Callable>& callables, double seconds = 0);

  /// How many inputs were left out.
  int left_out() const { return static_cast<int>(first_); }

  /// Time of the reference's run on the last input, by the host's clock.
  double reference_us() const { return reference_us_; }
  /// Time of the timed part in the fastest run of the latest verify(), likewise.
  double verified_us() const { return verified_us_; }
  /// The time of all runs since the last call, except samples.
  TrialParts take_parts() { return std::exchange(parts_, {}); }

  /// Runs on every input with poisoned outputs and compares each observed element on the device. A changed input, a
  /// write outside a buffer, and self-restoring scratch that is not zero afterwards are failures. Throws
  /// std::runtime_error if an observation itself fails.
  Outcome verify(const Candidate& candidate);

  /// Times the candidate, one sample per run; the last run starts with poisoned outputs and is compared. `samples` gets
  /// the measurements even if the outcome is not "passed".
  Outcome time(const Candidate& candidate, const Sampling& sampling, GpuTimer& timer, std::vector<Sample>& samples);

  /// Times all candidates once per round, each round in its own order; samples[round][candidate]. The outcomes are
  /// those of the last round's timed runs, as above. If one candidate synchronises, all are timed by the host's clock.
  std::vector<Outcome> rounds(const std::vector<Candidate>& candidates, int count, std::uint64_t seed, GpuTimer& timer,
                              std::vector<std::vector<Sample>>& samples) {
    return rounds(candidates, {.count = count}, seed, timer, samples);
  }

  /// The times of the steps of the candidate's plan, each by itself; medians over this many runs. Empty for a callable,
  /// and for a plan that executes more than kMostStepExecutions.
  std::vector<StepTime> step_times(const Candidate& candidate, int runs, GpuTimer& timer);

  /// The energy of a run of the candidate's plan if `has_energy`, and its time in a graph of many runs if `replays`. A
  /// plan that overwrites its input, or needs steps between runs, is not replayed. Nothing for a callable.
  Repeated repeat(const Candidate& candidate, bool has_energy, bool replays, GpuTimer& timer);

 private:
  /// Likewise; a single candidate may get fewer samples (see Sampling).
  std::vector<Outcome> rounds(const std::vector<Candidate>& candidates, const Sampling& sampling, std::uint64_t seed,
                              GpuTimer& timer, std::vector<std::vector<Sample>>& samples);

  struct InputOnGpu {
    std::map<std::string, Memory> memory;  ///< in buffers, expected results and magnitudes
    std::map<std::string, std::uint64_t> checksums;
  };
  /// A candidate bound to the memory of one input.
  struct BoundCandidate {
    std::vector<Buffer> buffers;
    std::unique_ptr<Runnable> runnable;
  };

  /// Measured by the host's clock between two synchronisations, in microseconds.
  double host_time_of(const std::function<void()>& work) const;
  void launch_support(const std::string& entry, std::int64_t threads, const std::vector<Argument>& arguments,
                      const Addresses& addresses) const;
  std::uint64_t checksum(const Buffer& buffer, CUdeviceptr address);
  const Memory& shared(const Buffer& buffer);
  /// The memory of a buffer that is not on the device.
  const PlacedMemory& placed(const Buffer& buffer);
  /// The candidate's plan, bound to the memory of that input.
  std::unique_ptr<PlanRunner> plan_runner(std::size_t input, const Candidate& candidate);
  BoundCandidate bind(std::size_t input, const Candidate& candidate);
  Addresses addresses(std::size_t input, const std::vector<Buffer>& buffers);
  InputOnGpu prepared(const FilledInput& input);
  /// Restores the state before a run: inout buffers as they were, managed memory on the host.
  void restore(std::size_t input, const std::vector<Buffer>& buffers);
  /// Copies outputs outside the device to the device, where they are compared.
  void collect_outputs(const std::vector<Buffer>& buffers);
  void poison_outputs(std::size_t input, const std::vector<Buffer>& buffers);
  std::vector<Buffer> observe(std::size_t input, const std::string& name);
  Outcome compare(std::size_t input, const Buffer& observed, const Bound& bound);
  Outcome check_outputs(std::size_t input, const Candidate& candidate, const BoundCandidate& bound);
  std::string damage(std::size_t input, const std::vector<Buffer>& buffers);
  std::string not_restored(const std::vector<Buffer>& buffers);

  const Gpu& gpu_;
  const CompiledProgram& support_;
  ModuleCache& modules_;
  ProblemSetup setup_;
  const std::vector<Callable>& callables_;
  std::vector<InputOnGpu> inputs_;
  std::size_t first_ = 0;                                          ///< of the inputs that are there
  std::map<std::pair<std::string, std::int64_t>, Memory> shared_;  ///< outputs and scratch by name and bytes
  std::map<std::tuple<std::string, std::int64_t, Where>, PlacedMemory> placed_;  ///< the same by location; inputs too
  Memory result_;
  double reference_us_ = 0, verified_us_ = 0;
  TrialParts parts_;
};

}  // namespace warpwright::gpu
