// A configuration on its way through the prediction, and what is found of it.
#pragma once

#include <optional>
#include <string>

#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {

struct Evaluation {
  CompiledConfiguration prepared;
  bool sampled = false;  ///< of the covering sample
  std::string key{};     ///< that it is claimed by
  db::Trial trial{};     ///< with an id when it is stored, or was taken over from the database
  std::optional<conformance::CountedAccess> access{};
  std::optional<conformance::Case> counterexample{};

  /// Gives the trial the verdict that it begins with; false when it is the last.
  bool begin(const Device& device);

  /// Takes over the verdict and, where it is wrong, the case that shows it.
  void blame(const conformance::CaseResult& result, const std::optional<conformance::Case>& test);

  /// Takes over what the host found, and predicts the time on the problem.
  void take_over(const Simulated& judged, const TuningContext& context, const Problem& problem);
};

}  // namespace warpwright::tuner
