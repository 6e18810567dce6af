// What measuring and predicting share of the judging on the host, which stands in for the device's architecture.
#pragma once

#include <atomic>
#include <string>

#include "conformance/property.hpp"
#include "tuner/tune_prepare.hpp"

namespace warpwright::tuner {

/// A checker of host cases whose programs the workshop's compiler makes.
conformance::Checker host_checker(const Workshop& shop, worker::Process& process);

/// So many cases of the configuration on edge shapes of the problem, on a host target.
conformance::PropertyOptions host_cases(const std::string& target, const Prepared& prepared, const Problem& problem,
                                        int cases, const std::atomic<bool>& stop);

/// Runs as many for the workshop's device.
conformance::PropertyReport judge_cases(const Workshop& shop, worker::Process& process, const Prepared& prepared,
                                        const Problem& problem, int cases);

/// Why the host judges nothing for the device: no compiler, or an architecture that it does not know; else empty.
std::string cannot_judge(const Workshop& shop);

}  // namespace warpwright::tuner
