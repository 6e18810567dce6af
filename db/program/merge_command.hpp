// What `tunedb merge` does and prints.
#pragma once

#include <string>
#include <vector>

#include "db/program/data_tables.hpp"
#include "db/store/store.hpp"

namespace warpwright::db {

// Merges these files and prints what came of each, as the parts of one run where they are that; false where one was
// left out, which is said on stderr.
bool merge_files(Store& store, const std::vector<std::string>& others, bool parts, Form form = Form::text);

}  // namespace warpwright::db
