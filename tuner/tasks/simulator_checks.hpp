// Property cases of a configuration, for the simulator and for the device.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "conformance/properties/property.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// A checker of simulator cases that uses the context's compiler. With `strict_shape`, which the user tunes for, strict
/// rules are only noted at other shapes.
conformance::Checker host_checker(const TuningContext& context, worker::Process& process,
                                  const std::optional<std::vector<std::int64_t>>& strict_shape = std::nullopt);

/// What was tolerated at shapes that nobody tunes for, each with the line that shows it; empty if nothing was.
std::string note_of(const conformance::PropertyReport& report, const Kernel& kernel);

/// `cases` cases of the configuration on edge shapes of the problem, for a simulator target.
conformance::PropertyOptions host_cases(const std::string& target, const CompiledConfiguration& configuration,
                                        const Problem& problem, int cases, const std::atomic<bool>& stop);

/// The same for a GPU, where cases may be larger.
conformance::PropertyOptions device_cases(const std::string& target, const CompiledConfiguration& configuration,
                                          const Problem& problem, int cases, std::uint64_t seed,
                                          const std::atomic<bool>& stop);

/// Runs cases in the simulator of the context's device, as many as the time allows, and some blocks of the problem
/// itself, which no GPU has run.
conformance::PropertyReport simulate_cases(const TuningContext& context, worker::Process& process,
                                           const CompiledConfiguration& configuration, const Problem& problem,
                                           int cases, Budget::End end = {});

/// The simulator's results for a configuration.
struct Simulated {
  conformance::CaseResult result;
  std::optional<conformance::CountedAccess> access;
  int cases = 0;
  double seconds = 0;  ///< that the cases took
  std::optional<conformance::Case> counterexample = std::nullopt;
  /// `access` is of the problem itself, not of the traced one.
  bool counts_problem = false;
  std::string note = {};  ///< what was tolerated, see note_of()
};

/// Whether the kernel's work is known from its traces only: it is a user's, who need not know its steps.
bool is_work_traced(const Kernel& kernel);

/// The input with which configurations are first checked and traced: the problem's own data.
Input traced_input();

/// How thoroughly a configuration is checked when its accesses are counted.
enum class Check {
  counting,  ///< what the count itself shows; results are compared only if the traced problem is counted
  traced,    ///< results are compared on the traced problem, or on a smaller one
  cases      ///< more cases after that
};

/// Checks the configuration on the pattern's traced problem, and counts its memory accesses there. The accesses of a
/// user's kernel are counted in some blocks of the problem itself if that is possible; then it is compared on a smaller
/// problem, which needs another program if extents are macros.
Simulated simulate_traced(const TuningContext& context, worker::Process& process,
                          const CompiledConfiguration& configuration, const Problem& problem, Check check);

/// Why nothing can be simulated for the device: no compiler, or an unknown architecture; else empty.
std::string cannot_simulate(const TuningContext& context);

/// Throws EnvironmentFault with the error, if there is one, because no prediction could be checked.
void require_simulator(const std::string& host_error);

}  // namespace warpwright::tuner
