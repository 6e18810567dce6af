// What kernels take, and how the host code that is left out launches them.
#pragma once

#include <vector>

#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Of an item that is a __global__ function.
GlobalFunction signature_of(const Tokens& tokens, const Item& item);

/// Every `kernel<<<...>>>(...)` of the text, whether or not the kernel is in it.
std::vector<HostLaunch> launches_in(const Tokens& tokens);

/// Whether `<<<` stands in those tokens: device code that launches.
bool launches_within(const Tokens& tokens, const Item& item);

}  // namespace warpwright::job
