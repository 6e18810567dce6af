// What the plans of neighbour lists have in common: the box of a problem, its buffers, arguments of its kernels.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::neighbor {

/// 2 or 3.
int dim_of(const Problem& problem);

/// Edge of the box in steps of the grid: the smallest that holds the bodies of the data set, at least one lattice cell
/// or the volume of one body. The same on all machines.
std::int64_t side_of(const Problem& problem);

/// In steps of the grid.
std::int64_t cutoff_of(const Problem& problem);

std::int64_t power(std::int64_t base, int exponent);

/// The largest r for which r^dim <= limit. 0 <= limit.
std::int64_t whole_root(std::int64_t limit, int dim);

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
