// Property cases of a configuration: on the host, which stands in for the device's architecture, and on the device.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "conformance/properties/property.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// A checker of host cases whose programs the context's compiler makes.
conformance::Checker host_checker(const TuningContext& context, worker::Process& process);

/// So many cases of the configuration on edge shapes of the problem, on a host target.
conformance::PropertyOptions host_cases(const std::string& target, const CompiledConfiguration& prepared,
                                        const Problem& problem, int cases, const std::atomic<bool>& stop);

/// The same on a GPU, where cases may be larger.
conformance::PropertyOptions device_cases(const std::string& target, const CompiledConfiguration& prepared,
                                          const Problem& problem, int cases, std::uint64_t seed,
                                          const std::atomic<bool>& stop);

/// Runs host cases for the context's device, as many as there is time for.
conformance::PropertyReport simulate_cases(const TuningContext& context, worker::Process& process,
                                           const CompiledConfiguration& prepared, const Problem& problem, int cases,
                                           Budget::End end = {});

/// What the host found of a configuration.
struct Simulated {
  conformance::CaseResult result;
  std::optional<conformance::CountedAccess> access;
  int cases = 0;
  std::optional<conformance::Case> counterexample = std::nullopt;
};

/// What configurations are judged on and traced with first: the problem's own data, which decides what a kernel does.
Input traced_input();

/// Judges the configuration on the pattern's traced problem, whose answer with that input is `answer`, and counts its
/// accesses there; then, if it is right, so many more cases.
Simulated simulate_traced(const TuningContext& context, worker::Process& process, const CompiledConfiguration& prepared,
                          const Problem& problem, const conformance::OracleAnswer& answer, int cases);

/// Why the host simulator nothing for the device: no compiler, or an architecture that it does not know; else empty.
std::string cannot_simulate(const TuningContext& context);

/// Throws EnvironmentFault where there is no host compiler for that reason: nothing that is predicted would be judged.
void require_simulator(const std::string& host_error);

}  // namespace warpwright::tuner
