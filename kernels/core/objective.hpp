// What is least for a best configuration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// The time of a run, its energy, or their product (the energy-delay product).
enum class Objective { time, energy, edp };
inline const std::vector<std::string> objective_words = {"time", "energy", "edp"};

inline Objective objective_of(std::string_view word) {
  return word == "energy" ? Objective::energy : word == "edp" ? Objective::edp : Objective::time;
}

inline double cost_of(Objective objective, double microseconds, double joules) {
  return objective == Objective::time ? microseconds : objective == Objective::energy ? joules : joules * microseconds;
}

}  // namespace warpwright
