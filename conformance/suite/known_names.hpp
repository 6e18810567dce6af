// Names of patterns and kernels that somebody gives.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// Throws std::invalid_argument for a glob that matches nothing: with the name that is like it, or else the patterns.
void require_names(const Catalogue& catalogue, const std::vector<std::string>& globs);

/// The same for the kernel of a repro line, where it names one.
void require_kernel_of(const Catalogue& catalogue, const std::string& repro);

}  // namespace warpwright::conformance
