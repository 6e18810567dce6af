// Published figures of others, and our results for the same kernels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/query/rate.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

// A row of published.json. Empty text and an absent shape mean that it was not published.
struct PublishedFigure {
  std::string pattern{};
  std::string variant{};  // as the database writes it: "op=sum"
  std::string numbers{};  // those that its time depends on: "limit=100"
  std::string types{};    // "float"
  std::optional<Shape> shape{};
  std::string kernel{};                         // our corresponding kernel
  std::map<std::string, std::string> params{};  // those of its params that were published
  std::string library{};                        // name of the library, if the figure is a library's
  std::string what{};
  std::string board{};
  std::string arch{};  // empty for a board without a name
  // What the time includes: "kernel" (the GPU's work on data that is there), "copies" (data cross the bus, too), "call"
  // (a call of a function: allocation, copies of partial results and work of the CPU), "block" (one block of it),
  // "CPU".
  std::string scope{};
  double value = 0;  // in the published unit
  std::string unit{};
  std::string source{};              // in words
  std::string alone{};               // a further reason why nothing of ours is comparable
  std::optional<double> us{};        // the value in microseconds, if it is a time
  std::optional<double> peak_gbs{};  // of that board, if published
  std::optional<double> share_of_peak{};
};
// Parses the text of published.json. Throws nlohmann::json::exception if a row lacks a field.
std::vector<PublishedFigure> published_figures(std::string_view json);

// Our result to compare with a figure: the best measured time of the same problem, shape, scope, kernel and params.
struct Counterpart {
  const ProblemResults* results = nullptr;  // null if there is none
  std::string what{};                       // "tiled {...}"
  double us = 0;
  std::optional<double> low_us{}, high_us{};  // the interval around the time
  std::optional<db::Rate> rate{};             // if the figure is a rate
  std::optional<double> share_of_peak{};
  std::string reason{};  // why there is none
};
Counterpart counterpart(const Architecture&, const PublishedFigure&);

}  // namespace warpwright::reports
