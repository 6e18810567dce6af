// Result chart: the ceiling, our best kernel and the libraries on one time axis, as the rows of a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/values.hpp"

namespace warpwright::reports::charts {

struct ResultRow {
  Whose whose = Whose::ours;
  std::string name{};                     // "ours, stream", "CUB 3.0.1", "Kokkos 5.0.2, tuned", "ceiling: a copy"
  std::optional<double> us{};             // empty: not timed; see `why`
  std::optional<Interval> interval_us{};  // empty: not known, none is drawn
  std::optional<double> ratio{};          // its time divided by ours; empty for libraries beside a prediction
  std::optional<Interval> ratio_interval{};
  std::string why{};  // why there is no time: "not built", "wrong results"
};

struct ResultChart {
  std::vector<ResultRow> rows{};  // in the order shown; at most one is the ceiling
  bool predicted = false;         // ours is a predicted time
};

// A <table class="result">: name, marks on a logarithmic axis, us, and the time divided by ours with its interval.
std::string result_chart(const ResultChart&);

}  // namespace warpwright::reports::charts
