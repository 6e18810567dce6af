// `conform --list`: the kernels that there are.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// Prints how many kernels match, and each with its configurations on the target ("native" counts as the default
/// architecture), for people or as JSON.
void print_kernels(const Catalogue& catalogue, const std::vector<std::string>& globs, const std::string& target,
                   bool as_json);

}  // namespace warpwright::conformance
