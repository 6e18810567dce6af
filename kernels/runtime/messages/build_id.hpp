// Which sources a program was built from, of the model and the runtime: a worker and its parent must have the same.
#pragma once

#include <string_view>

namespace warpwright::worker {

/// Hexadecimal digits that change with any of these sources (tests left out).
std::string_view build_id();

}  // namespace warpwright::worker
