// Creates and checks the tables of the database.
#pragma once

#include <set>
#include <string>
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

// The columns of a table of the main database, or of an attached one.
std::set<std::string> columns_in(Connection&, const std::string& table, const std::string& database = "main");

// Columns that were added to this version: files of older programs lack them. Where they may be written, they are
// added; where not, they are read as null.
void add_columns(Connection&);

// Whether an open file has the tables of this version. False for an empty file. Throws Error for a file that another
// program made, or another version of this one.
bool has_schema(Connection&);

// Makes the tables in an empty file, unless another process has made them meanwhile.
void create_schema(Connection&);

}  // namespace warpwright::db
