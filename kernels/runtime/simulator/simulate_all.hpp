// Runs a plan under all schedules of its small launches, and with all older values that loads may return.
#pragma once

#include "kernels/runtime/simulator/simulate.hpp"

namespace warpwright::simulator {

/// Like `simulate`, once for each execution that differs from the others in the order of visible steps that depend on
/// each other, or in a value that a load returned; at most `options.explored` times, and until one has a finding or all
/// have made many accesses. If that is not all, as many executions with random choices follow. See Explorer for what is
/// explored. Counts are summed; `buffers` become those of the first execution, and `other_buffers` has what other
/// outputs there were, up to seven. The schedule of the options is not used, and all blocks of a launch are resident.
Execution simulate_all(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
                       const SimulationOptions& options, const HostFunctions* host_functions = nullptr);

}  // namespace warpwright::simulator
