// The device functions that plans name, and the files that are to define them.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// "finish_partials" of the entry "warpwright::reduce::finish_partials<float, ...>".
std::string function_of(const std::string& entry);

/// Throws std::invalid_argument, with file and function, where the plan that a kernel makes for its default params
/// launches a function that neither its file nor what that includes names anywhere.
void require_functions(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels, const Device& device);

}  // namespace warpwright::conformance
