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

/// Runs every step of the plan once, if its launches pass what their kernels take. Variables of the module have their
/// initial values before. If the run leaves other values there, the plan runs a second time with the same inputs: what
/// that finds is also reported, and its buffers are `second_buffers`. `buffers` are the plan's, in its
/// order and with its sizes. `in` and `inout` are read. `out` is also read: its contents are what the kernel sees
/// before it writes. `scratch` may be empty, otherwise it receives its contents. It starts with uninitialised bytes, or
/// with zeros if it is self-restoring: then every byte must be zero afterwards. Constants start with uninitialised
/// bytes too. All buffers return as the kernels left them, also when there are findings; those in host memory as the
/// caller finds them when the host is done with the plan. Findings that end a launch (all but races, uninitialised
/// reads and written inputs) end the execution. Steps of a plan with streams run in a random order, drawn from the
/// schedule's seed. Two steps that touch the same bytes, one of them writing, with nothing to order them are a race.
/// `host_functions` are the functions that the plan's host steps call. Throws std::invalid_argument for buffers that
/// are not the plan's, or a plan that names a buffer it does not have.
Execution simulate(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
                   const SimulationOptions& options = {}, const HostFunctions* host_functions = nullptr);

/// Runs only some blocks of each launch: the first, the last, and some between. The buffers, which may be larger than
/// memory, begin with these pages of inputs; the result names others that were touched, which were taken to be zero.
/// Checked are bounds, alignment and signed arithmetic. Where a block needs what others do, or a step is no launch of
/// device code, the finding is `no_model`.
Execution simulate_blocks(const Plan& plan, const Module& module, std::span<const Page> pages,
                          const SimulationOptions& options);

}  // namespace warpwright::simulator
