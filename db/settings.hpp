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

// "2^26 float, zipf": for people, without the settings that have their default; with all of them ("2^26 float, op=sum,
// data=zipf") where nobody stored a title.
std::string short_title(const Problem&);

// The same behind the pattern: "reduce 2^26 float"
std::string title_of(const Problem&);

// A shape as people write it: "2^26" of "67108864"; "8192x8192" stays.
std::string short_shape(std::string_view shape);

// "reduce[op=sum,float,1024]"
std::string text_without_data(Problem);

}  // namespace warpwright::db
