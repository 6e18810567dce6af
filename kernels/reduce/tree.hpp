// The parameter space and plan shared by tree reductions in shared memory.
#pragma once

#include <cmath>

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

/// The first axes of such kernels.
template <class P>
SpaceOf<P> tree_space() {
  SpaceOf<P> space;
  space.axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
      .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16});
  return space;
}

/// For blocks of at least `least_block` threads.
template <class P>
Kernel tree_kernel(const std::string& name, SpaceOf<P> space, int least_block = 32) {
  space.axis("finish", &P::finish, finishes)
      .require("as many threads as the last warp's levels combine",
               [=](const P& p) { return p.block_size >= least_block; })
      .require("a block reduces more than one element", [](const P& p) { return tile_elements(p) > 32; });
  return make_kernel(block_kernel<P>(name, std::move(space), tile_elements<P>,
                                     [](const P& p) { return p.coarsening + std::log2(p.block_size); }));
}

/// For trees in which neighbouring threads access neighbouring words at every level.
template <class P>
Kernel tree_kernel_without_conflicts(const std::string& name, int least_block = 32) {
  return tree_kernel(name, tree_space<P>().removed("bank_pad", "its accesses have no bank conflicts"), least_block);
}

}  // namespace warpwright::reduce
