// The session that a problem is measured in: its data, reference and observations, and what bounds and laws ask of it.
#pragma once

#include <string>
#include <vector>

#include "kernels/runtime/worker/gpu_client.hpp"
#include "tuner/tune/prepare.hpp"
#include "tuner/tune/request.hpp"

namespace warpwright::tuner {

/// Inputs that a configuration is verified on: an exact one, and the problem's own data, on which it is timed.
std::vector<Input> session_inputs(const Pattern& pattern, const Problem& problem, std::uint64_t seed);

/// Throws std::runtime_error when the pattern's own device code does not compile.
gpu::SessionSetup session_setup(const Workshop& shop, const Problem& problem, const std::vector<Input>& inputs);

/// Per input and observed output; `observation` as a callable names it.
std::vector<std::vector<Bound>> session_bounds(const Pattern& pattern, const Problem& problem, const Device& device,
                                               const std::vector<Input>& inputs, double depth,
                                               const std::string& observation = {});

/// How a library's callable breaks a law that it is held to, on a small problem; empty where it keeps them all.
std::string broken_law(const Workshop& shop, worker::GpuClient& client, const Problem& problem,
                       const worker::CallableOffer& offer, const worker::KnobsOffer& knobs, std::uint64_t seed);

/// Compiles the device code of the sessions that measure these items, and gives it. Behind it are queued the items'
/// references and, when the strategy will ask for all of them, every configuration in the order of measuring.
Built compile_ahead(const Workshop& shop, const std::vector<TuneItem>& items, const TuneRequest& request);

}  // namespace warpwright::tuner
