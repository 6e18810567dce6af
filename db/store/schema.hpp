// Creates and checks the tables of the database.
#pragma once

#include <string_view>

#include "db/store/connection.hpp"

namespace warpwright::db {

// SQLite's application_id of our files: "WwDB".
inline constexpr int application_id = 0x57774442;
// The application_id of files from before version 1, whose own versions also counted from 1: "wwDB".
inline constexpr int old_application_id = 0x77774442;

// The version of the tables of schema.sql.
inline constexpr int schema_version = 2;

// The version of this program: "0.1.0".
std::string_view program_version();

// Whether an open file has the tables of this version. False for an empty file. Throws Error for a file of another
// program, or of another version of this one.
bool has_schema(Connection&);

// Makes the tables in an empty file, unless another process has made them meanwhile.
void create_schema(Connection&);

}  // namespace warpwright::db
