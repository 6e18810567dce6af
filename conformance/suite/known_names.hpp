// Checks the names of patterns and kernels that a user gives.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// Throws std::invalid_argument for a glob that matches nothing; the message suggests the most similar name, or else
/// lists the patterns. `others` are further words that may have been meant, such as subcommands.
void require_names(const Catalogue& catalogue, const std::vector<std::string>& globs,
                   const std::vector<std::string>& others = {});

/// The same for the kernel in a repro line, if it names one.
void require_kernel_of(const Catalogue& catalogue, const std::string& repro);

}  // namespace warpwright::conformance
