// Predicts the time of a configuration on the full problem from its memory accesses on the traced problem.
#pragma once

#include <optional>

#include "conformance/checks/case_result.hpp"
#include "tuner/cost_model/prediction.hpp"
#include "tuner/predicting/growth.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// `access` was counted on the pattern's trace problem. Counts per element are scaled with the work of the kernel, or
/// with `growth` if it was measured; counts per block with the blocks of the launches of the same instance. With
/// `counts_problem`, `access` is of `problem` itself. Without
/// `access`, because the simulator could not run the configuration, every byte is taken to be accessed once.
/// What a user's job states about its work changes no prediction, but for operations of loops without memory accesses.
Prediction predict_from_trace(const TuningContext& context, const CompiledConfiguration& configuration,
                              const Problem& problem, const std::optional<conformance::CountedAccess>& access,
                              const std::optional<Growth>& growth = std::nullopt, bool counts_problem = false);

}  // namespace warpwright::tuner
