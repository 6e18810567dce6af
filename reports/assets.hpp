// Files embedded in the report program at build time.
#pragma once

#include <string_view>

namespace warpwright::reports {

// Returns the embedded file "page.css", "charts.css", "page.js" or "published.json". Throws std::out_of_range for
// another name.
std::string_view asset(std::string_view name);

}  // namespace warpwright::reports
