// How the host code that is left out launches kernels.
#pragma once

#include <vector>

#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Every `kernel<<<...>>>(...)` of the text, whether or not the kernel is in it.
std::vector<HostLaunch> launches_in(const Tokens& tokens, const Items& found);

/// Whether `<<<` stands in those tokens: device code that launches.
bool launches_within(const Tokens& tokens, const Item& item);

}  // namespace warpwright::job
