// The simulator: runs a plan's kernels on the CPU, one fiber per CUDA thread, and checks every memory access.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/runtime/host_steps/host_functions.hpp"
#include "kernels/runtime/simulator/module/module.hpp"
#include "kernels/runtime/simulator/results/execution.hpp"
#include "kernels/runtime/simulator/results/options.hpp"

namespace warpwright::simulator {

/// Runs every step of the plan once, if its launches pass what their kernels take. `buffers` are the plan's, in its
/// order and of its sizes; `in` and `inout` are read, `out` is both (what it holds before is what the kernel sees),
/// `scratch` may be empty, else it receives its contents; it starts with bytes that nobody wrote, or with zeros where
/// it is self-restoring: then every byte must be zero afterwards. Constants start with bytes that nobody wrote too. All
/// come back as the kernels left them (those in the host's memory as the caller finds them when the plan is over for
/// the host), even when there are findings: those that end a launch (all but races, uninitialised reads and written
/// inputs) end the execution. Steps of a plan with streams run in an order drawn from the schedule's seed; two that
/// touch the same bytes, one of them writing, with nothing to order them are a race. Throws std::invalid_argument for
/// buffers that are not the plan's, or a plan that names a buffer it does not have. `host_functions` are what the
/// plan's host steps call.
Execution simulate(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
                   const SimulationOptions& options = {}, const HostFunctions* host_functions = nullptr);

}  // namespace warpwright::simulator
