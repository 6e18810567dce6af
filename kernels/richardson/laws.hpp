// Relations that Richardson's iteration satisfies without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::richardson {

std::vector<Law> laws();

}  // namespace warpwright::richardson
