// Shared by the plans of reduce.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/reduce/finish.cuh"

namespace warpwright::reduce {

/// The buffers of a problem: in and out (one element). The elements of a product are generated as factors.
std::vector<Buffer> buffers(const Problem& problem);

/// The identity of the operator, in the problem's type.
ValueArgument identity(const Problem& problem);

/// "warpwright::reduce::sum"
std::string operator_name(const Problem& problem);

/// The plan for an empty problem: sets out to the identity, launches nothing.
Plan empty_plan(const Problem& problem);

/// What `finish` can be.
inline const std::vector<finish> finishes{finish::atomic, finish::second_kernel, finish::last_block, finish::host};

/// Floating-point atomics, in the order in which blocks finish, round differently and may give zeros of different
/// signs.
bool is_deterministic(finish finish, const Problem& problem);

/// The division of the input into sections, one per block.
struct Sections {
  reduce::finish finish = finish::second_kernel;
  std::int64_t per_block = 0;
  int block_size = 0;
};

/// `function` reduces in to one value per block; `finish` determines the rest. With a second kernel, the same kernel
/// runs on its own results until one is left, alternating between two scratch buffers.
Plan block_plan(const PlanRequest& request, const std::string& function, const Sections& sections);

/// The depth of such a plan, if a block has the depth `depth_of_block`.
double block_depth(const Problem& problem, const Sections& sections, double depth_of_block);

/// Lengths that fill the second level: the block that finishes last, or the second launch.
std::vector<std::vector<std::int64_t>> block_edges(const Sections& sections);

/// Loads that a thread issues before it uses the first value.
template <class P>
int loads_of(const P& p) {
  if constexpr (requires { p.vectors_per_thread; })
    return p.vectors_per_thread;
  else if constexpr (requires { p.pairs_per_thread; })
    return p.pairs_per_thread;
  else
    return p.coarsening;
}

/// A kernel of that name whose blocks each reduce `per_block(p)` elements with depth `depth(p)`.
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
      .loads_in_flight = loads_of<P>,
      .deterministic = [](const P& p, const Problem& problem) { return is_deterministic(p.finish, problem); },
  };
}

/// Lets the plan's kernels overwrite their input: an untimed step copies it before every run.
void reduce_in_place(Plan& plan);

/// Number of launches of the kernel until one value is left, including the first.
int repeated_levels(std::int64_t count, std::int64_t per_block);

/// One launch of `blocks` blocks, however much each of them reduces; the second kernel is finish_partials.
Plan grid_plan(const PlanRequest& request, const std::string& function, finish finish, std::int64_t blocks,
               int block_size);

/// Depth of combining the results of this many blocks; the last ones are combined by `threads` threads.
double finish_depth(finish finish, std::int64_t blocks, int threads);

/// Number of blocks of a grid-stride launch: `blocks_per_sm` per SM, but no more than there is work for.
std::int64_t persistent_blocks(const Problem& problem, const Device& device, std::int64_t per_block, int blocks_per_sm);

}  // namespace warpwright::reduce
