// The two steps of a merge, for the files of db/ only.
#pragma once

#include <filesystem>

#include "db/maintenance/check.hpp"

namespace warpwright::db {

// A file to merge; throws Error where there is none, or where it is damaged.
Store sound_source(const std::filesystem::path& path);

// Unites its rows into the store, in one transaction.
Merged merge_from(Store& store, const Store& source);

}  // namespace warpwright::db
