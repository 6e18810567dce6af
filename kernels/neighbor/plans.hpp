// Shared by the plans of neighbor: buffers, and the arguments and launches of kernels.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::neighbor {

/// The buffers of a problem: positions (a structure of arrays), count, list and overflow (one element).
std::vector<Buffer> buffers(const Problem& problem);

/// The leading template arguments of entries: "float, 3, warpwright::neighbor::boundary::periodic", and the layout of
/// the list if requested.
std::vector<std::string> entry_arguments(const Problem& problem, bool with_layout);

/// The box as a kernel argument.
ValueArgument box_argument(const Problem& problem);

/// A launch with one thread per body, or `lanes` threads, in one-dimensional blocks.
Launch launch_over_bodies(const Problem& problem, std::string entry, int block_size, std::vector<Argument> arguments,
                          int lanes = 1);

/// A timed step that sets all elements of an int buffer to zero.
Step zeros(const std::string& buffer, std::int64_t count);

}  // namespace warpwright::neighbor
