// A note on results of which few elements are wrong.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/model/pattern.hpp"

namespace warpwright::gpu {

/// Stands behind the detail of a wrong result. Empty if nothing is rounded, or if more than one in a thousand elements
/// are wrong.
std::string hint_at_few_wrong(const Bound& bound, std::uint64_t wrong, std::int64_t count);

}  // namespace warpwright::gpu
