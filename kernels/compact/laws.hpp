// Laws of the compact pattern: relations that results satisfy whatever the elements are.
#pragma once

#include "kernels/model/pattern.hpp"

namespace warpwright::compact {

std::vector<Law> laws();

}  // namespace warpwright::compact
