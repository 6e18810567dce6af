// The parameter space and plan of tree reductions in shared memory.
#include <cmath>

#include "kernels/reduce/plans.hpp"
#include "kernels/reduce/tree.cuh"
#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel tree_kernel(const std::string& name, int least_block) {
  using P = tree_params;
  const auto per_block = [](const P& p) { return std::int64_t{p.block_size} * p.coarsening; };
  return make_kernel(block_kernel<P>(
      name,
      SpaceOf<P>{}
          .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
          .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
          .axis("bank_pad", &P::bank_pad, {0, 1})
          .axis("finish", &P::finish, finishes)
          .require("as many threads as the last warp's levels combine",
                   [=](const P& p) { return p.block_size >= least_block; })
          .require("a block reduces more than one element", [=](const P& p) { return per_block(p) > 32; }),
      per_block, [](const P& p) { return p.coarsening + std::log2(p.block_size); }));
}

}  // namespace warpwright::reduce
