// The interface of a GPU on which the tuner measures. A worker process implements it, and in tests a script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "conformance/properties/property.hpp"
#include "kernels/runtime/client/gpu_client.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {

/// A GPU failed. Other GPUs, if there are any, take over its work.
class GpuLost : public std::exception {
 public:
  GpuLost(std::string text, std::exception_ptr cause) : text_(std::move(text)), cause_(std::move(cause)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  const std::exception_ptr& cause() const { return cause_; }

 private:
  std::string text_;
  std::exception_ptr cause_;
};

/// A GPU with the compiler for its programs. An error of a configuration is a verdict. Functions that use the GPU throw
/// GpuLost if the GPU or its worker cannot work.
class MeasuringGpu {
 public:
  virtual ~MeasuringGpu() = default;

  virtual const Device& device() const = 0;

  /// Compiles for the device; one result per program, in order. What can wait is compiled while nothing else is asked
  /// for.
  virtual std::vector<worker::CompileResult> compile(const std::vector<Program>& programs, worker::Urgency urgency) = 0;
  /// Withdraws programs that are still to be compiled: see worker::Compiler.
  virtual void give_up(const std::vector<Program>& programs) = 0;
  /// How many programs it compiles in parallel.
  virtual std::size_t compilers() const = 0;

  /// Selects the problem for the following measurements, with these inputs; the last one is used for timing. If a
  /// function of the CPU computes the right answers and they are not ready at `end`, measuring throws AnswersLate.
  virtual void select(const Problem& problem, const std::vector<Input>& inputs, Budget::End end) = 0;
  /// Fills the inputs of the selected problem and computes the right answers, which the measurements would do else.
  /// Returns how many microseconds that took.
  virtual double set_up() = 0;
  /// GB/s of copying and reading arrays of `bytes` bytes, and of the bus for transfers of `bus_bytes`.
  virtual gpu::Rates rates(std::int64_t bytes, std::int64_t bus_bytes) = 0;
  /// Verifies the candidate on every input (if requested) and takes the samples.
  virtual worker::TrialReply trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) = 0;
  /// Times all candidates once per round, each round in its own order.
  virtual worker::RoundsReply rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) = 0;

  /// The times of the steps of the candidate's plan; empty if they cannot be measured.
  virtual std::vector<gpu::StepTime> step_times(const gpu::Candidate& candidate, int runs) = 0;

  /// The energy of a run of the candidate's plan, and its time in a graph, if requested; nothing if that cannot be
  /// measured.
  virtual gpu::Repeated repeat(const gpu::Candidate& candidate, bool has_energy, bool replays) = 0;

  /// Runs property tests of a kernel on the device.
  virtual conformance::PropertyReport run_property(const Kernel& kernel,
                                                   const conformance::PropertyOptions& options) = 0;

  /// Why nothing can be simulated for the device; empty if it can.
  virtual std::string cannot_simulate() const = 0;
  /// Compiles for the simulator; at once if it is urgent, else after all earlier requests.
  virtual void compile_for_simulator(const std::vector<Program>& programs, worker::Urgency urgency) = 0;
  /// Runs property tests in the simulator, in parallel with everything else. A case that still runs a few seconds after
  /// the deadline is given up. The kernel must outlive them.
  virtual std::future<conformance::PropertyReport> simulate(const Kernel& kernel, conformance::PropertyOptions options,
                                                            worker::Urgency urgency) = 0;
  /// Runs the configuration in the simulator on the pattern's traced problem, like simulate(), and counts its accesses.
  /// "Not run" if it still runs a few seconds after `end`.
  virtual std::future<Simulated> trace(const Kernel& kernel, const Point& params, const Problem& problem,
                                       Budget::End end) = 0;

  /// The libraries that can be compared with a configuration of that problem.
  virtual std::vector<worker::BaselineInfo> callables(const Problem& problem) = 0;
  /// How a library's callable breaks one of its laws on a small problem; empty if it satisfies them all.
  virtual std::string broken_law(const Problem& problem, const worker::BaselineInfo& library,
                                 const worker::KnobsInfo& knobs, std::uint64_t seed) = 0;
};

/// Number of rounds for comparing finalists, and libraries.
inline constexpr int kRounds = 30;
/// Number of runs in which the steps of a finalist's plan are timed one by one.
inline constexpr int kStepRuns = 7;
/// The time of the fastest finalists is also taken in a graph: with launches one by one, it is partly that of a launch.
inline constexpr double kReplayBelowUs = 10;
/// The resolution of events; times below a few of these prove nothing.
inline constexpr double kEventResolutionUs = 0.5;

std::vector<double> times_of(const std::vector<gpu::Sample>& samples);

/// The same as `gpu.rounds`, but finds out which candidate crashed the worker. Each candidate then runs alone, and the
/// outcomes are from these runs. If none crashes alone, all have the outcome "crashed". After a crash there are no
/// samples.
worker::RoundsReply blamed_rounds(MeasuringGpu& gpu, const std::vector<gpu::Candidate>& candidates, int rounds,
                                  std::uint64_t seed);

}  // namespace warpwright::tuner
