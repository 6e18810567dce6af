// Problems on several boards as text for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "db/query/cross_board.hpp"
#include "db/exchange/json.hpp"

namespace warpwright::db {

// For people, and for programs.
std::string text_of(const std::vector<Across>&);
Json json_of(const Across&);

}  // namespace warpwright::db
