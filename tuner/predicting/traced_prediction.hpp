// What a configuration asks of a full problem, from what its traced one asked of the memory system; and what that
// costs.
#pragma once

#include <optional>

#include "conformance/checks/checker.hpp"
#include "tuner/cost_model/prediction.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// `access` was counted on the pattern's trace problem. What is done per element scales with the work of the kernel,
/// what is done once per block with the blocks of the launches that run the same instance. None where the host could
/// not run the configuration: then every byte is asked for once.
Prediction predict_from_trace(const TuningContext& context, const CompiledConfiguration& prepared,
                              const Problem& problem, const std::optional<conformance::CountedAccess>& access);

}  // namespace warpwright::tuner
