// Parameter space and launch plan of richardson/row_per_thread.
#include "kernels/richardson/row_per_thread.cuh"

#include "kernels/richardson/plans.hpp"

namespace warpwright::richardson {
namespace {

using P = row_per_thread_params;

std::string supports(const P& p, const Problem& problem, const Device&) {
  if (is_sparse(problem) && p.vector_width > 1) return "takes the entries of sparse rows one by one";
  return too_large(problem);
}

}  // namespace

Kernel row_per_thread_kernel() {
  return make_kernel<P>({
      .pattern = "richardson",
      .name = "row_per_thread",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512})
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8})
                   .axis("read_only", &P::read_only, {false, true}),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return sweeps_plan(request, "row_per_thread", divide_up(request.problem.shape[0], p.block_size),
                               p.block_size);
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; },
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return sweep_depth(problem, longest_row(problem)); },
      .supports = supports,
      .loads_in_flight = [](const P& p) { return 2 * p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::richardson
