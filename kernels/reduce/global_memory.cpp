// Parameter space and launch plan of reduce/global_memory.
#include "kernels/reduce/global_memory.cuh"

#include <cmath>

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

Kernel global_memory_kernel() {
  using P = global_memory_params;
  const auto per_block = [](const P& p) { return std::int64_t{2} * p.block_size * p.coarsening; };
  KernelOf<P> kernel =
      block_kernel<P>("global_memory",
                      SpaceOf<P>{}
                          .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                          .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
                          .axis("finish", &P::finish, finishes),
                      per_block, [=](const P& p) { return std::log2(static_cast<double>(per_block(p))); });
  kernel.plan = [of_block = kernel.plan](const P& p, const PlanRequest& request) {
    Plan plan = of_block(p, request);
    // The kernel must not overwrite its input, so it works on a copy.
    if (request.problem.elements() > 0) reduce_in_place(plan);
    return plan;
  };
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::reduce
