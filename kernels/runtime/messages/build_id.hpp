// An id of the sources of model and runtime: a worker and its parent must be built from the same ones.
#pragma once

#include <string_view>

namespace warpwright::worker {

/// Hexadecimal digits that change with any of these sources (tests left out).
std::string_view build_id();

}  // namespace warpwright::worker
