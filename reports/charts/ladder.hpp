// Ladder: the best time of each kernel of a problem, from the naive one to the best.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/values.hpp"

namespace warpwright::reports::charts {

struct Rung {
  Kernel kernel{};
  std::optional<double> us{};     // empty: it has no time here; see `why`
  std::optional<double> share{};  // of the ceiling
  std::string why{};              // "at most 2^18 elements", "wrong results"
  bool equal = false;             // it cannot be told apart from the best
};

struct Ladder {
  std::vector<Rung> rungs{};  // any order; shown by rank, the best last, those without a time on top
  std::optional<double> ceiling_us{};
  std::string ceiling_name{};  // "copy", for "% of copy"
  bool predicted = false;      // hatched bars, hollow dots
};

// An <ol class="ladder">: name, bar from 0 (linear), us, share, and the factor that the step brings; "=" from one
// that equals the best to another. The same rows have
// dots on a logarithmic axis, which charts.css shows instead if a checked input with value "log" is in the same
// <section>.
std::string ladder(const Ladder&);

}  // namespace warpwright::reports::charts
