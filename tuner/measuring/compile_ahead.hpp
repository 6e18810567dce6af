// The inputs that problems are measured on, what is compiled ahead, and the laws that libraries must keep.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "kernels/runtime/client/gpu_client.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Inputs that a configuration is verified on: an exact one, and the problem's own data, on which it is timed.
std::vector<Input> session_inputs(const Pattern& pattern, const Problem& problem, std::uint64_t seed);

/// How a library's callable breaks a law that it is held to, on a small problem; empty where it keeps them all.
std::string broken_law(const TuningContext& context, worker::GpuClient& client, const Problem& problem,
                       const worker::BaselineInfo& offer, const worker::KnobsInfo& knobs, std::uint64_t seed);

/// Compiles the support kernels that measuring these tasks needs on the GPU.
worker::CompileResult compile_support(const TuningContext& context, const std::vector<TuningTask>& tasks);

/// Queues the tasks' references and, when the strategy will ask for all of them, every configuration in the order of
/// measuring.
void compile_ahead(const TuningContext& context, const std::vector<TuningTask>& tasks, const TuningRequest& request);

}  // namespace warpwright::tuner
