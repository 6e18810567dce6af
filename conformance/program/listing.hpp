// `conform --list`: lists the kernels.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {

/// The simulated device that stands in for a target, which may be a GPU; for "native" it is of the default
/// architecture.
const Device& simulated_device(const std::string& target);

/// Prints how many kernels match, and each kernel with its number of configurations on that device, for people or as
/// data.
void print_kernels(const Catalogue& catalogue, const std::vector<std::string>& globs, const std::string& target,
                   Form form);

}  // namespace warpwright::conformance
