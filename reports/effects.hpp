// How the time of a kernel depends on its params: their values, the variance that each explains, and the best time of
// pairs of values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/charts/parallel.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

// The timed configurations of one kernel, as positions on its axes.
struct KernelSpace {
  std::string kernel{};
  std::vector<charts::ParallelAxis> axes{};   // params with more than one value; numbers in ascending order, then text
  std::vector<charts::ParallelLine> lines{};  // fastest first
};
// The best kernel first. A single short measurement of a search may be below the time of the best configuration, which
// the final rounds chose; it then counts as equal to it.
std::vector<KernelSpace> kernel_spaces(const ProblemResults&);

// The share of the variance of log(time) that each param explains alone, from 0 to 1, in the order of the axes.
std::vector<double> explained(const KernelSpace&);

}  // namespace warpwright::reports
