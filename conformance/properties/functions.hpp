// Checks that the device functions named in plans occur in the files that should define them.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// "finish_partials" for the entry "warpwright::reduce::finish_partials<float, ...>".
std::string function_of(const std::string& entry);

/// Throws std::invalid_argument, with file and function, if a kernel's plan for its default params launches a function
/// whose name occurs neither in the kernel's file nor in the files it includes.
void require_functions(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels, const Device& device);

}  // namespace warpwright::conformance
