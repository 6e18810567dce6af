// The text of schema.sql, which is embedded at build time.
#pragma once

#include <string_view>

namespace warpwright::db {

std::string_view schema_text();

}  // namespace warpwright::db
