// Plans shared by the kernels of sort: buffers, compared bits, alternating arrays.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/sort/tile.cuh"

namespace warpwright::sort {

/// The buffers of a problem: "in" and "values" become "out" and "values_out". If keys are sorted alone, the values have
/// no elements. A suffix is appended to the names of the outputs.
std::vector<Buffer> buffers(const Problem& problem, const std::string& suffix = {});

bool has_values(const Problem& problem);
int key_size(const Problem& problem);

/// The compared bits of the problem's keys. If empty (`end` <= `begin`), all keys are equal.
bit_range range_of(const Problem& problem);
/// The number of compared bits, at least 0.
int compared_bits_of(const Problem& problem);
Argument range_argument(const Problem& problem);

/// "unsigned int" if it can count this many keys, else "unsigned long long".
ElementType offset_type(std::int64_t most);
/// A template argument: whether values move with keys.
std::string pairs_text(const Problem& problem);

/// "warpwright::sort::function<arguments...>"
std::string instance(const std::string& function, const std::vector<std::string>& arguments);

/// One block for each tile.
Launch launch_tiles(std::string entry, std::int64_t tiles, int block_size, std::vector<Argument> arguments);

/// The buffers that a pass reads keys and values from and writes them to, and the number of the pass, as the sum of two
/// int arguments.
struct Pass {
  Argument keys, values, out, values_out;
  Argument before, index;
};
using PassSteps = std::function<std::vector<Step>(const Pass&)>;

/// Appends passes to a plan whose first buffers are those of the problem. `first` is pass 0 and reads "in"; `next`
/// follows `times` times; the last pass writes the outputs, whose names end in `suffix`. Adds scratch buffers of the
/// same size as needed.
void add_passes(Plan& plan, const PassSteps& first, std::int64_t times, const PassSteps& next,
                const std::string& suffix = {});

/// A plan with the buffers of the problem. If there are no keys, or no bits to compare, it is a copy; else `sort` adds
/// scratch and steps.
Plan sort_plan(const Problem& problem, const std::function<void(Plan&)>& sort, const std::string& suffix = {});

Buffer scratch(std::string name, ElementType type, std::int64_t count);

/// For radix sorts: number of passes with digits of this many bits.
std::int64_t passes_of(const Problem& problem, int radix_bits);
/// Steps of all threads if each pass counts the digits, ranks them by ballots and moves the keys.
double ballot_steps(const Problem& problem, int radix_bits);

/// The ways to store a tile, as an axis.
std::vector<store> store_values();
/// Whether a block has the shared memory that it declares, and a tile staged in that way beside it.
bool fits_staged(const Surroundings& around, int declared, store how, int block_size, int items);

/// The tile of one block of block_size threads, staged according to `how`.
template <class P>
Launch launch_staged(const P& p, store how, const Problem& problem, std::string entry,
                     std::vector<Argument> arguments) {
  Launch launch = launch_tiles(std::move(entry), divide_up(problem.elements(), tile_elements(p)), p.block_size,
                               std::move(arguments));
  launch.shared_bytes = static_cast<std::uint32_t>(staging_bytes(how, p.block_size, p.coarsening, key_size(problem)));
  return launch;
}

}  // namespace warpwright::sort
