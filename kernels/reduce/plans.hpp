// What the plans of reductions have in common.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/reduce/finish.cuh"

namespace warpwright::reduce {

/// in and out (one element) of a problem; the elements of a product are factors.
std::vector<Buffer> buffers(const Problem& problem);

/// The value of the operator over nothing, in the problem's type.
ValueArgument identity(const Problem& problem);

/// "warpwright::reduce::sum"
std::string operator_name(const Problem& problem);

/// The plan of an empty problem: out becomes the identity, nothing is launched.
Plan empty_plan(const Problem& problem);

/// What `finish` can be.
inline const std::vector<std::pair<finish, std::string>> finishes{
    {finish::atomic, "warpwright::reduce::finish::atomic"},
    {finish::second_kernel, "warpwright::reduce::finish::second_kernel"},
    {finish::last_block, "warpwright::reduce::finish::last_block"},
    {finish::host, "warpwright::reduce::finish::host"}};

/// Atomics of floats, in the order in which blocks finish, round differently or tell zeros apart.
bool is_deterministic(finish finish, const Problem& problem);

/// Blocks that each reduce a section of the input.
struct Sections {
  reduce::finish finish = finish::second_kernel;
  std::int64_t per_block = 0;
  int block_size = 0;
};

/// `function` reduces in to one value per block; the rest is as the finish says. The second kernel is the same one, on
/// its own results, and so on until one is left, going back and forth between two scratch buffers.
Plan block_plan(const PlanRequest& request, const std::string& function, const Sections& sections);

/// The depth of such a plan whose blocks are `depth_of_block` combinations deep.
double block_depth(const Problem& problem, const Sections& sections, double depth_of_block);

/// Lengths that fill the second level: the block that finishes last, or the launch behind the first.
std::vector<std::vector<std::int64_t>> block_edges(const Sections& sections);

/// A kernel of that name whose blocks each reduce `per_block(p)` elements, `depth(p)` combinations deep.
template <class P, class PerBlock, class Depth>
KernelOf<P> block_kernel(std::string name, SpaceOf<P> space, PerBlock per_block, Depth depth) {
  const auto sections = [=](const P& p) { return Sections{p.finish, per_block(p), p.block_size}; };
  return {
      .pattern = "reduce",
      .name = name,
      .space = std::move(space),
      .plan = [=](const P& p, const PlanRequest& request) { return block_plan(request, name, sections(p)); },
      .tile = [=](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth = [=](const P& p, const Problem& problem,
                   const Device&) { return block_depth(problem, sections(p), depth(p)); },
      .edges = [=](const P& p, const Problem&) { return block_edges(sections(p)); },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = [](const P& p, const Problem& problem) { return is_deterministic(p.finish, problem); },
  };
}

/// Lets the plan's kernels overwrite what they read: a copy of the input, which is made before every run and not timed.
void reduce_in_place(Plan& plan);

/// Launches that the second kernel makes of it, the first included.
int repeated_levels(std::int64_t count, std::int64_t per_block);

/// One launch of `blocks` blocks, whatever each of them reduces; the second kernel is finish_partials.
Plan grid_plan(const PlanRequest& request, const std::string& function, finish finish, std::int64_t blocks,
               int block_size);

/// Combinations behind those of the blocks, of which there are so many; the last ones are by `threads` threads.
double finish_depth(finish finish, std::int64_t blocks, int threads);

/// Blocks of a grid that strides over the problem, `blocks_per_sm` on each SM: no more than there is work for.
std::int64_t persistent_blocks(const Problem& problem, const Device& device, std::int64_t per_block, int blocks_per_sm);

}  // namespace warpwright::reduce
