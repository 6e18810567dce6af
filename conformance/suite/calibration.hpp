// Measures the rounding errors of a kernel's default configuration, to suggest a bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "conformance/properties/drawing.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {

struct Calibration {
  int cases = 0;            ///< with inputs that are rounded
  double depth = 0;         ///< the least one with which all their outputs are right
  double of_bound = 0;      ///< the largest error / bound, with the bound that the pattern has
  std::optional<Case> at;   ///< the case with that depth
  bool is_guessed = false;  ///< the pattern's bound has no depth: this one is in units of the result
  int exact_cases = 0;      ///< with inputs for which nothing may be rounded
  int inexact = 0;          ///< of these, with an output that was
  std::string failure;      ///< what else is wrong with the kernel, which ends the calibration
};

/// Compares outputs of the default configuration with the oracle's, in the cases that `options` draw.
Calibration calibrate(const Catalogue& catalogue, const Kernel& kernel, worker::Process& process,
                      worker::Compiler& compiler, PropertyOptions options);

/// The result in sentences, with a suggestion for the job's "bound", each with a line end.
std::string describe(const Kernel& kernel, const Calibration& found);

/// The same, a row for each kernel, for CSV and JSON.
Table table_of(const std::vector<std::pair<const Kernel*, Calibration>>& calibrations);

}  // namespace warpwright::conformance
