// Error strip: the largest error of a kernel against the bound of the check, on one logarithmic axis for all kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

// Errors are parts of the bound: 1 is the bound. From the smallest power of ten that the kernels need, to 1 or more.
struct ErrorAxis {
  int smallest = -3;  // log10
  int largest = 0;

  double at(double error) const;  // in percent of the width
};
ErrorAxis error_axis(const std::vector<std::optional<double>>& errors);

// The header of the column, in % of the bound.
std::string error_header(const ErrorAxis&);
// An <svg class="error">. The words "exact" for 0, "not known" for nothing. An error beyond the bound is marked as bad.
std::string error_strip(std::optional<double> error, const ErrorAxis&);

}  // namespace warpwright::reports::charts
