// A configuration during prediction, with its results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/case_result.hpp"
#include "tuner/predicting/growth.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {

/// The stage of a configuration. This run has the lease while it is compiling and simulating.
enum class Stage {
  asked,       ///< the search asked for it; no run has the lease
  elsewhere,   ///< another run has the lease
  comparing,   ///< another run has evaluated it; compiled for the device only, because the machine code identifies the
               ///< trial
  compiling,   ///< for the device, and for the simulator
  simulating,  ///< checked and traced
  done,
};

struct Evaluation {
  CompiledConfiguration configuration;
  bool sampled = false;  ///< part of the covering sample: checked on edge shapes too
  std::string key{};     ///< of its lease
  Stage stage = Stage::asked;
  db::Trial trial{};                ///< has an id if it is in the database
  std::vector<double> launch_us{};  ///< the predicted times of its plan's launches, if this run predicted them
  std::optional<conformance::CountedAccess> access{};
  std::optional<conformance::Case> counterexample{};

  /// Sets the verdict as far as it is known without simulating; returns false if it is final.
  bool begin(const Device& device);

  /// Sets the verdict and, if it is a failure, the case that shows it.
  void set_verdict(const conformance::CaseResult& result, const std::optional<conformance::Case>& test);

  /// Stores the simulator's results, and predicts the time on the problem.
  void take_over(const Simulated& simulated, const TuningContext& context, const Problem& problem,
                 const std::optional<Growth>& growth);
};

}  // namespace warpwright::tuner
