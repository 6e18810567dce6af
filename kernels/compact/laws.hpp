// Laws of the compact pattern: relations that correct results satisfy for any elements.
#pragma once

#include "kernels/model/pattern.hpp"

namespace warpwright::compact {

std::vector<Law> laws();

}  // namespace warpwright::compact
