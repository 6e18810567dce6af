// Plans shared by the sorts: buffers, the bits that are compared, arrays that take turns.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/sort/tile.cuh"

namespace warpwright::sort {

/// "in" and "values" become "out" and "values_out"; the values have no elements where keys are sorted alone. A suffix
/// is added to the names of the outputs.
std::vector<Buffer> buffers(const Problem& problem, const std::string& suffix = {});

bool has_values(const Problem& problem);
int key_size(const Problem& problem);

/// What is compared of the problem's keys. It may be empty, `end` at or below `begin`: then all keys are equal.
bit_range range_of(const Problem& problem);
/// How many bits that is, from 0.
int compared_bits_of(const Problem& problem);
Argument range_argument(const Problem& problem);

/// "unsigned int" where that counts to so many keys, else "unsigned long long".
ElementType offset_type(std::int64_t most);
/// A template argument: whether values move with keys.
std::string pairs_text(const Problem& problem);

/// "warpwright::sort::function<arguments...>"
std::string instance(const std::string& function, const std::vector<std::string>& arguments);

/// One block for each tile.
Launch launch_tiles(std::string entry, std::int64_t tiles, int block_size, std::vector<Argument> arguments);

/// Where a pass finds keys and values, where it puts them, and which one it is: the sum of two int arguments.
struct Pass {
  Argument keys, values, out, values_out;
  Argument before, index;
};
using PassSteps = std::function<std::vector<Step>(const Pass&)>;

/// Adds steps to the plan, whose buffers begin with those of the problem: `first` is pass 0 and reads "in", `next`
/// follows `times` times, and the last one writes the outputs, whose names end in `suffix`. Scratch of their size is
/// added where it is needed.
void add_passes(Plan& plan, const PassSteps& first, std::int64_t times, const PassSteps& next,
                const std::string& suffix = {});

/// A plan with the buffers of the problem. Without keys, or where no bits are compared, it is a copy; else `sort` adds
/// scratch and steps.
Plan sort_plan(const Problem& problem, const std::function<void(Plan&)>& sort, const std::string& suffix = {});

Buffer scratch(std::string name, ElementType type, std::int64_t count);

/// Of radix sorts: how many digits of so many bits are compared.
std::int64_t passes_of(const Problem& problem, int radix_bits);
/// Steps of all threads where a digit of so many bits is counted, found by ballots and moved in each pass.
double ballot_steps(const Problem& problem, int radix_bits);

/// The ways to store a tile, as an axis.
std::vector<std::pair<store, std::string>> store_values();
/// Whether a block has the shared memory that it declares, and a tile staged in that way beside it.
bool fits_staged(const Surroundings& around, int declared, store how, int block_size, int items);

/// One block of block_size threads for each tile, which it stages as `how` says.
template <class P>
Launch launch_staged(const P& p, store how, const Problem& problem, std::string entry,
                     std::vector<Argument> arguments) {
  Launch launch = launch_tiles(std::move(entry), divide_up(problem.elements(), tile_elements(p)), p.block_size,
                               std::move(arguments));
  launch.shared_bytes = static_cast<std::uint32_t>(staging_bytes(how, p.block_size, p.coarsening, key_size(problem)));
  return launch;
}

}  // namespace warpwright::sort
