// Finds out how a kernel uses the memory behind its pointers.
#pragma once

#include <string>

#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// How the body of a function uses that parameter. Pointers and references made from it are followed, also into
/// functions of the same source.
PointerUse use_of(const Tokens& tokens, const Items& found, const Item& function, const std::string& parameter);

}  // namespace warpwright::job
