// Formats trials and runs as text for people, as `tunedb` prints them.
#pragma once

#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/system/screen.hpp"

namespace warpwright::db {

// Aligned tables with a heading line; every line ends with a newline.
std::string text_table(const std::vector<TrialView>&);
// Runs; below each run that was stopped early, how far every kernel got.
std::string text_table(const std::vector<ConformanceRun>&);

// All that is stored about one trial, as "name  value" lines under headings.
std::string sheet_of(const Store&, const TrialView&, const Screen&);

}  // namespace warpwright::db
