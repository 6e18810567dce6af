// Finds the launches of kernels in host code.
#pragma once

#include <vector>

#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Every `kernel<<<...>>>(...)` of the source, even if the kernel is not in the source.
std::vector<HostLaunch> launches_in(const Tokens& tokens, const Items& found);

/// Whether these tokens contain `<<<`: device code that launches.
bool launches_within(const Tokens& tokens, const Item& item);

}  // namespace warpwright::job
