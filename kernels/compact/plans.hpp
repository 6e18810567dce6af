// What the plans of compactions have in common.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::compact {

/// in, out (as many elements) and count of a problem.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::compact::positive"
std::string predicate_name(const Problem& problem);

/// The plan of an empty problem: the count becomes 0, nothing is launched.
Plan empty_plan(const Problem& problem);

}  // namespace warpwright::compact
