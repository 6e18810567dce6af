// Formats problems timed on several boards as text for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "db/exchange/json.hpp"
#include "db/query/cross_board.hpp"

namespace warpwright::db {

// Text for people; JSON for programs.
std::string text_of(const std::vector<CrossBoard>&);
Json json_of(const CrossBoard&);

}  // namespace warpwright::db
