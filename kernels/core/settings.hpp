// The settings of a problem as text, as `--with` gives them: variants, named numbers and the data set.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warpwright {

// By name: {"op", "sum"}, {"bins", "256"}, {"data", "zipf"}.
using Settings = std::map<std::string, std::string>;

// Parses "op=sum,bins=256,data=zipf". Throws std::invalid_argument if it is not a list of NAME=VALUE, or has a name
// twice.
Settings parse_settings(std::string_view text);

}  // namespace warpwright
