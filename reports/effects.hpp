// How a contest's time depends on its parameters: per value of an axis, and over two axes as a heat map.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model.hpp"
#include "reports/sentences.hpp"

namespace warpwright::reports {

// Of one axis of one kernel, the compared times by value.
struct Axis {
  std::string name{};
  std::vector<std::string> values{};  // numbers ascending, then other text
  std::map<std::string, std::vector<double>> times{};
};
// All axes of that kernel that have more than one value.
std::vector<Axis> axes(const Contest&, const std::string& kernel);
// Of each axis, largest factor first.
std::vector<AxisEffect> effects(const std::vector<Axis>&);

// The table, heat map and figure, kernel by kernel, the best one first; nothing where no axis has two values.
std::string effects_part(const Contest&);

}  // namespace warpwright::reports
