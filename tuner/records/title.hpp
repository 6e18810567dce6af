// Names of problems for people: without the settings that have their default.
#pragma once

#include <string>

#include "kernels/model/pattern.hpp"

namespace warpwright::tuner {

/// "2^26 float", "8192x8192 uchar, bins=4096, zipf": size, types, numbers with their names; options and data sets
/// without, where no other setting of the pattern has an option of that name.
std::string short_title(const Pattern& pattern, const Problem& problem);

}  // namespace warpwright::tuner
