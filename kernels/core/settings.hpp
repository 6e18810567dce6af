// Settings of problems: options, numbers and the data set by name, as `--with` gives them.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warpwright {

// By name: {"op", "sum"}, {"bins", "256"}, {"data", "zipf"}.
using Settings = std::map<std::string, std::string>;

// Of "op=sum,bins=256,data=zipf". Throws std::invalid_argument for what is no list of NAME=VALUE, or names something
// twice.
Settings parse_settings(std::string_view text);

}  // namespace warpwright
