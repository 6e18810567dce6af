// The model held against measurements: configurations that were both predicted and measured, and how well their orders
// agree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// Of at least one value.
double median(std::vector<double> values);
// Spearman's rank correlation, -1 to 1; nothing for fewer than five pairs or where one side is constant.
std::optional<double> rank_correlation(const std::vector<double>& x, const std::vector<double>& y);

// One configuration with both of its times.
struct BothTimes {
  std::string kernel{};
  std::string params{};
  double measured_us = 0;
  double predicted_us = 0;

  // What the prediction is of the measurement, in relation to the median of all: 2 is twice as slow.
  double error = 1;
};

// All of them for one problem on one board, of one kernel or (`kernel` is empty) of all kernels.
struct ModelCheck {
  std::string pattern{};
  std::string kernel{};
  std::string problem{};  // "op=sum data=uniform float 2^26"
  std::string board{};
  std::vector<BothTimes> times{};
  std::optional<double> spearman{};
  double median_ratio = 0;  // predicted / measured
  double best_loss = 0;     // of what is predicted best: its measured time over the least one, less 1
  double top10_loss = 0;    // of the best of the ten that are predicted best, likewise
  // The values of params that go with the largest mean error, as "block_size = 32: 0.41 x (35)", worst first.
  std::vector<std::string> worst{};
};

// Of measured trials on a board and predicted ones of the same kernel, params and problem for the same architecture:
// for that board, else the one nearest in bandwidth. Trials that passed or were not checked; the newest of each. The
// whole of a problem comes before its kernels.
std::vector<ModelCheck> check_model(const Store&, const Filter&);

// For people.
std::string text_of(const std::vector<ModelCheck>&);

}  // namespace warpwright::db
