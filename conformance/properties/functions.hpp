// Checks that the device functions named in plans occur in the files that should define them.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// "finish_partials" for the entry "warpwright::reduce::finish_partials<float, ...>".
std::string function_of(const std::string& entry);

/// Checks the plan of each kernel for its default params. The name of every function that it launches must occur in the
/// kernel's file or in a file that it includes. Throws std::invalid_argument, with file and function, if one does not.
void require_functions(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels, const Device& device);

}  // namespace warpwright::conformance
