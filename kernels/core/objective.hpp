// The objective of tuning: the quantity that a best configuration minimizes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// The time of a run, its energy, or their product (the energy-delay product).
enum class Objective { time, energy, edp };
inline const std::vector<std::string> objective_words = {"time", "energy", "edp"};  // in the same order

inline const std::string& word_of(Objective objective) {
  return objective_words.at(static_cast<std::size_t>(objective));
}

// The time if there is no such word.
inline Objective objective_of(std::string_view word) {
  const auto found = std::ranges::find(objective_words, word);
  return found == objective_words.end() ? Objective::time : Objective(found - objective_words.begin());
}

inline double cost_of(Objective objective, double microseconds, double joules) {
  return objective == Objective::time ? microseconds : objective == Objective::energy ? joules : joules * microseconds;
}

}  // namespace warpwright
