// Implements `tunedb merge`.
#pragma once

#include <string>
#include <vector>

#include "db/program/data_tables.hpp"
#include "db/store/store.hpp"

namespace warpwright::db {

// Merges these files, as the shards of one run if `parts` is set, and prints a line for each. If one was left out, says
// so on stderr and returns false.
bool merge_files(Store& store, const std::vector<std::string>& others, bool parts, Form form = Form::text);

}  // namespace warpwright::db
