// Compares the model with measurements: how well predicted and measured times of the same configurations agree in
// order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// Spearman's rank correlation, -1 to 1; nothing for fewer than five pairs or where one side is constant.
std::optional<double> rank_correlation(const std::vector<double>& x, const std::vector<double>& y);

// One configuration that was both predicted and measured.
struct BothTimes {
  std::string kernel{};
  std::string params{};
  double measured_us = 0;
  double predicted_us = 0;

  // The ratio of predicted to measured time, relative to the median ratio of all configurations: 2 means predicted
  // twice as slow.
  double error = 1;
};

// The comparison for one problem on one board, for one kernel or (if `kernel` is empty) for all kernels.
struct ModelCheck {
  std::string kernel{};
  Problem problem{};
  std::string board{};
  std::vector<BothTimes> times{};
  std::optional<double> spearman{};
  double median_ratio = 0;  // predicted / measured
  double best_loss = 0;     // of the configuration predicted best: its measured time divided by the least measured
                            // time (`least_us`), minus 1
  double top10_loss = 0;    // the same for the fastest of the ten that are predicted best
  // The axis values with the largest mean errors, as "block_size = 32: 0.41 x (35)", worst first.
  std::vector<std::string> worst{};
};

// The same check with all figures, from its times. `least_us` is the least measured time, if it may be that of a
// configuration that was not predicted. Without times there are no figures.
ModelCheck rated(ModelCheck, std::optional<double> least_us = std::nullopt);

// Pairs measured trials on a board with predicted trials of the same kernel, params, problem and architecture. It takes
// predictions for that board, or else for the board nearest in bandwidth. Uses the newest trial of each that passed or
// was not checked. For each problem, the comparison over all kernels comes before those per kernel.
std::vector<ModelCheck> check_model(const Store&, const Filter&);

// Text for people.
std::string text_of(const std::vector<ModelCheck>&);

}  // namespace warpwright::db
