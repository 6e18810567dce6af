// The files that are embedded in the program at build time.
#pragma once

#include <string_view>

namespace warpwright::reports {

// "page.css", "page.js", "published.json", or "charts.js", which is empty where the build had no chart library.
// Throws std::out_of_range for another name.
std::string_view asset(std::string_view name);

}  // namespace warpwright::reports
