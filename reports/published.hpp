// Published figures of others, and our results for the same kernels.
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
  std::string variant{};  // part of a variant, "op=sum"; empty matches any
  std::string kernel{};   // our corresponding kernel; empty matches any
  std::string library{};  // name of the library, if the figure is a library's time
  std::map<std::string, std::string> params{};
  Shape shape{};
  std::string what{};
  std::string board{};
  std::string arch{};
  std::optional<double> ms{};
  std::string rate{};                // given if no time was published
  std::optional<double> peak_gbs{};  // of that board, if published
  std::optional<double> share_of_peak{};
};
// Parses the text of published.json.
std::vector<PublishedFigure> published_figures(std::string_view json);

// Our result to compare with a figure: the best time of that kernel (and params) on the measured float problem of the
// nearest shape. Predictions are not compared with published figures.
struct Counterpart {
  const Contest* contest = nullptr;
  std::string what{};  // "tiled {...}"
  double us = 0;
  std::optional<double> share_of_peak{};
};
std::optional<Counterpart> counterpart(const Architecture&, const PublishedFigure&);

}  // namespace warpwright::reports
