// Searched bar: how much of the space of configurations was tried.
#pragma once

#include <optional>
#include <string>

namespace warpwright::reports::charts {

struct SearchedBar {
  std::optional<double> share{};  // from 0 to 1. Empty: not known, there is no bar
  std::string words{};            // beside the bar: "47 %", "default only"
  std::string sentence{};         // "117 of 252 configurations (46 %)"
  bool predicted = false;         // tried on a model only: a hatched bar
};

// A <span class="searched">: an <svg> without a meaning for screen readers, and the words beside it.
std::string searched_bar(const SearchedBar&);

}  // namespace warpwright::reports::charts
