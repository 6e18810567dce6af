// What a kernel does with the memory that it is given.
#pragma once

#include <string>

#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Of that parameter in the body of a function: of the pointers and references that are made of it there, and of what
/// functions of the same text do with what they get of it.
PointerUse use_of(const Tokens& tokens, const Items& found, const Item& function, const std::string& parameter);

}  // namespace warpwright::job
