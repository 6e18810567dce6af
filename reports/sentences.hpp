// Sentences that summarize the data of a section; always computed from the data.
#pragma once

#include <string>
#include <vector>

#include "reports/drift.hpp"
#include "reports/figures.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

std::string best_sentence(const Architecture&);
std::string contest_sentence(const Contest&);
std::string rivals_sentence(const Contest&, const std::vector<Rival>&);
std::string ladder_sentence(const Contest&);
// The effect of one axis: the best time of its worst value divided by the best time of its best value.
struct AxisEffect {
  std::string axis{};
  double factor = 1;
  std::string best_value{};
};
// Says which axis matters most. Factors below `told` are not mentioned: 1.01 for measured times, the model's error for
// predictions.
std::string effect_sentence(const std::string& kernel, const std::vector<AxisEffect>& effects, double told);
std::string occupancy_sentence(const Contest&);
std::string launches_sentence(const Contest&);
std::string access_sentence(const Contest&);
std::string search_sentence(const Contest&, const std::vector<Search>&);
std::string error_sentence(const Contest&);
std::string verdicts_sentence(const Contest&);
std::string drift_sentence(const std::vector<Drift>&, const std::vector<Difference>&);
std::string failures_sentence(const std::vector<NewFailure>&);
std::string nightly_sentence(const Report&);
std::string mutants_sentence(const Report&);

}  // namespace warpwright::reports
