// Trials and runs as text for people: what `tunedb` prints.
#pragma once

#include <string>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// Aligned tables with a heading line; every line ends with a newline.
std::string text_table(const std::vector<TrialView>&);
// Under each run that ended before its end: how far every kernel came.
std::string text_table(const std::vector<ConformanceRun>&);

// Everything that is stored of one trial, one "name  value" line each, under headings.
std::string sheet_of(const Store&, const TrialView&);

}  // namespace warpwright::db
