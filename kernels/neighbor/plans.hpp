// What the plans of neighbour lists have in common: buffers, and the arguments and launches of kernels.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::neighbor {

/// positions (a structure of arrays), count, list and overflow (one element).
std::vector<Buffer> buffers(const Problem& problem);

/// "float, 3, warpwright::neighbor::boundary::periodic": what entries begin with; the layout of the list where asked
/// for.
std::vector<std::string> entry_arguments(const Problem& problem, bool with_layout);

/// The box as kernels take it.
ValueArgument box_argument(const Problem& problem);

/// A launch with one thread a body, or `lanes` of them, in blocks of one dimension.
Launch launch_over_bodies(const Problem& problem, std::string entry, int block_size, std::vector<Argument> arguments,
                          int lanes = 1);

/// A timed step that sets all elements of an int buffer to zero.
Step zeros(const std::string& buffer, std::int64_t count);

}  // namespace warpwright::neighbor
