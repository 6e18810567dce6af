// How the limits of checks are worded, for the programs that count them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

/// The beginning of a caveat: a kernel has no source of right answers but itself.
inline constexpr std::string_view kValuesNotChecked = "values were not checked";

inline bool has_unchecked_values(const std::vector<std::string>& caveats) {
  return std::ranges::any_of(caveats, [](const std::string& caveat) { return caveat.starts_with(kValuesNotChecked); });
}

}  // namespace warpwright
