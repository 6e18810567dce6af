// How the time of a problem depends on the kernels' parameters: by value of each axis, and as heat maps over two axes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model.hpp"
#include "reports/sentences.hpp"

namespace warpwright::reports {

// The compared times of one kernel, grouped by the values of one axis.
struct Axis {
  std::string name{};
  std::vector<std::string> values{};  // numbers in ascending order, then other text
  std::map<std::string, std::vector<double>> times{};
};
// All axes of a kernel with more than one value.
std::vector<Axis> axes(const Contest&, const std::string& kernel);
// The effect of each axis, largest factor first.
std::vector<AxisEffect> effects(const std::vector<Axis>&);

// Table, heat map and figure for each kernel, the best kernel first. Empty if no axis has two values.
std::string effects_part(const Contest&);

}  // namespace warpwright::reports
