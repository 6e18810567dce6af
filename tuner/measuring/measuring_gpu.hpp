// What the tuner asks of the GPU that it measures on: one interface for a worker that holds one, and for a script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <string>
#include <vector>

#include "conformance/properties/property.hpp"
#include "kernels/runtime/client/gpu_client.hpp"

namespace warpwright::tuner {

/// A GPU with the compiler that makes programs for it. What a configuration does wrong is a verdict; a machine that
/// cannot do its work throws std::runtime_error.
class MeasuringGpu {
 public:
  virtual ~MeasuringGpu() = default;

  virtual const Device& device() const = 0;

  /// Compiles for the device; one result per program, in order.
  virtual std::vector<std::shared_future<CompiledProgram>> compile(const std::vector<Program>& programs) = 0;
  /// Takes back what was asked for: see worker::Compiler.
  virtual void give_up(const std::vector<Program>& programs) = 0;
  /// How many programs it compiles side by side.
  virtual std::size_t compilers() const = 0;

  /// The problem of the measuring that follows, on these inputs; the last one is timed on.
  virtual void select(const Problem& problem, const std::vector<Input>& inputs) = 0;
  /// GB/s of copying and reading arrays of so many bytes, and of the bus where so many cross it.
  virtual gpu::Rates ceilings(std::int64_t bytes, std::int64_t bus_bytes) = 0;
  /// Verifies the candidate on every input (if asked) and takes the samples.
  virtual worker::TrialReply trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) = 0;
  /// All candidates once a round, each round in an order of its own.
  virtual worker::RoundsReply rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) = 0;

  /// Property tests of a kernel on the device.
  virtual conformance::PropertyReport run_property(const Kernel& kernel,
                                                   const conformance::PropertyOptions& options) = 0;

  /// Why the host simulator nothing for the device; empty where it does.
  virtual std::string cannot_simulate() const = 0;
  /// Compiles for the host, behind everything that was asked for before: the judge will need it.
  virtual void compile_for_simulator(const std::vector<Program>& programs) = 0;
  /// Property tests on the host that stands in for the device, beside everything else. The kernel must outlive them.
  virtual std::future<conformance::PropertyReport> judge(const Kernel& kernel,
                                                         conformance::PropertyOptions options) = 0;

  /// The libraries that can be measured beside a configuration of that problem.
  virtual std::vector<worker::BaselineInfo> callables(const Problem& problem) = 0;
  /// How a library's callable breaks a law that it is held to, on a small problem; empty where it keeps them all.
  virtual std::string broken_law(const Problem& problem, const worker::BaselineInfo& offer,
                                 const worker::KnobsInfo& knobs, std::uint64_t seed) = 0;
};

/// Rounds in which finalists, and libraries, are compared.
inline constexpr int kRounds = 30;
/// Times below a few of these prove nothing.
inline constexpr double kEventResolutionUs = 0.5;

std::vector<double> times_of(const std::vector<gpu::Sample>& samples);

/// The same as `bench.rounds`; but a worker that was lost says not by whom, so each candidate is then asked alone, and
/// the outcomes are those. Where none is lost alone, all stay blamed. There are no samples then.
worker::RoundsReply blamed_rounds(MeasuringGpu& bench, const std::vector<gpu::Candidate>& candidates, int rounds,
                                  std::uint64_t seed);

}  // namespace warpwright::tuner
