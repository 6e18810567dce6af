// Laws of Richardson's iteration: relations that results satisfy, checked without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::richardson {

std::vector<Law> laws();

}  // namespace warpwright::richardson
