// Figures that others report, and what ours say of the same kernel.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model.hpp"

namespace warpwright::reports {

struct PublishedFigure {
  std::string pattern{};
  std::string variant{};  // a part of the variant: "op=sum"; empty where it does not matter
  std::string kernel{};   // ours that it corresponds to; empty where any does
  std::string library{};  // of a library's time: its name
  std::map<std::string, std::string> params{};
  Shape shape{};
  std::string what{};
  std::string board{};
  std::string arch{};
  std::optional<double> ms{};
  std::string rate{};                // where no time is reported
  std::optional<double> peak_gbs{};  // of that board, where it is stated
  std::optional<double> share_of_peak{};
};
// Of the text of published.json.
std::vector<PublishedFigure> published_figures(std::string_view json);

// Our counterpart: of the measured float problem of the nearest shape, the best time of that kernel (and those params).
// Predictions are compared with nobody's measurements.
struct Counterpart {
  const Contest* contest = nullptr;
  std::string what{};  // "tiled {...}"
  double us = 0;
  std::optional<double> share_of_peak{};
};
std::optional<Counterpart> counterpart(const Architecture&, const PublishedFigure&);

}  // namespace warpwright::reports
