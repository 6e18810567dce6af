// The laws of rows.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::rows {

std::vector<Law> laws();

}  // namespace warpwright::rows
