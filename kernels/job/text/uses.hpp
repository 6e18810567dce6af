// What a kernel does with the memory that it is given.
#pragma once

#include <string>

#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Of that parameter in the body of a function, and of the pointers that are made of it there.
PointerUse use_of(const Tokens& tokens, const Item& function, const std::string& parameter);

}  // namespace warpwright::job
