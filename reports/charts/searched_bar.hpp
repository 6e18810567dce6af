// Searched bar: how much of the space of configurations was tried.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpwright::reports::charts {

struct SearchedBar {
  std::int64_t tried = 0;               // configurations with a decided verdict
  std::optional<std::int64_t> space{};  // configurations that there are. Nothing: not known
  bool predicted = false;               // tried on a model only: a hatched bar
};

// An <svg class="searched"> without a meaning for screen readers, and the share in words beside it: "47 %", "0.4 %",
// "117 tried" where the space is not known.
std::string searched_bar(const SearchedBar&);

}  // namespace warpwright::reports::charts
