// `conform --list`: the kernels that there are.
#pragma once

#include <string>
#include <vector>

#include "kernels/system/table.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// The device of the CPU in the place of a target, which may be a GPU; in that of "native" that of the default
/// architecture.
const Device& stand_in(const std::string& target);

/// Prints how many kernels match, and each with its configurations on the target's stand-in, for people or as data.
void print_kernels(const Catalogue& catalogue, const std::vector<std::string>& globs, const std::string& target,
                   Form form);

}  // namespace warpwright::conformance
