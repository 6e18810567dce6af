// Settings of problems: the parts of variant and numbers, and the data, as `--with` names them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "db/records.hpp"

namespace warpwright::db {

// By name: {"op", "sum"}, {"bins", "256"}, {"data", "zipf"}.
using Settings = std::map<std::string, std::string>;

// Of "op=sum,bins=256,data=zipf". Throws std::invalid_argument for what is no list of NAME=VALUE, or names something
// twice.
Settings parse_settings(std::string_view text);

// All that a problem has: "op=sum,bins=256,data=zipf".
std::string settings_text(const Problem&);

// "transpose op=transpose,data=uniform float 8192x8192"
std::string title_of(const Problem&);

// "reduce[op=sum,float,1024]"
std::string text_without_data(Problem);

}  // namespace warpwright::db
