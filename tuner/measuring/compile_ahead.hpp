// The inputs on which problems are measured, compilation ahead of time, and the laws of libraries.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "kernels/runtime/client/gpu_client.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Inputs for verifying a configuration: an exact one, and the problem's own data, which is also timed.
std::vector<Input> session_inputs(const Pattern& pattern, const Problem& problem, std::uint64_t seed);

/// How a library's callable breaks one of its laws on a small problem; empty if it satisfies them all.
std::string broken_law(const TuningContext& context, worker::GpuClient& client, const Problem& problem,
                       const worker::BaselineInfo& library, const worker::KnobsInfo& knobs, std::uint64_t seed);

/// Compiles the support kernels that measuring these tasks needs on the GPU.
worker::CompileResult compile_support(const TuningContext& context, const std::vector<TuningTask>& tasks);

/// Queues the tasks' references. If the strategy will ask for all configurations, also queues these, in the order of
/// measuring.
void compile_ahead(const TuningContext& context, const std::vector<TuningTask>& tasks, const TuningRequest& request);

}  // namespace warpwright::tuner
