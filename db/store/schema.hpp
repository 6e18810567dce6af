// The tables of the database and how an older file is brought up to date.
#pragma once

#include <span>
#include <string_view>

#include "db/store/connection.hpp"

namespace warpwright::db {

// SQLite's application_id of our files: "wwDB".
inline constexpr int application_id = 0x77774442;

// The version that this program writes: the number of migrations.
int schema_version();

// Of this program: "0.1.0".
std::string_view program_version();

// The version of an open file: 0 for an empty one. Throws Error for a file that is not ours or is newer than ours.
int inspect_schema(Connection&);

// Runs the migrations that the file lacks, in one transaction. Rows get the identities that this program gives them;
// those that become the same row are united by the rules of merging.
void migrate(Connection&);

}  // namespace warpwright::db
