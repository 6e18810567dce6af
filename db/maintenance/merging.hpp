// The two steps of a merge. Internal to db/.
#pragma once

#include <filesystem>

#include "db/maintenance/check.hpp"

namespace warpwright::db {

// Opens a file to merge; throws Error if it is missing or damaged.
Store sound_source(const std::filesystem::path& path);

// Merges its rows into the store, in one transaction.
Merged merge_from(Store& store, const Store& source);

}  // namespace warpwright::db
