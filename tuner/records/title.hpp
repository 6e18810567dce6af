// Problem titles for people, without settings that have their default.
#pragma once

#include <string>

#include "kernels/model/pattern.hpp"

namespace warpwright::tuner {

/// "2^26 float", "8192x8192 uchar, bins=4096, zipf": size, types, then numbers with their names. Options and data sets
/// stand without the setting's name, unless another setting of the pattern has an option of the same name.
std::string short_title(const Pattern& pattern, const Problem& problem);

}  // namespace warpwright::tuner
