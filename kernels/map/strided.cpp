// Parameter space and launch plan of map/strided.
#include "kernels/map/strided.cuh"

#include <algorithm>

#include "kernels/map/plans.hpp"

namespace warpwright::map {
namespace {

using P = strided_params;

/// Number of groups of block_size elements that hold `count` elements.
std::int64_t groups(const P& p, std::int64_t count) {
  if (count == 0) return 0;
  if (p.access == access::offset) return divide_up(count + p.step, p.block_size);
  if (p.access == access::strided) return divide_up(count, std::int64_t{p.block_size} * p.step) * p.step;
  return divide_up(count, p.block_size);
}

Plan plan(const P& p, const PlanRequest& request) {
  const std::int64_t blocks = divide_up(groups(p, request.problem.elements()), p.coarsening);
  return map_plan(request, "strided", blocks, p.block_size, {alpha_of(request.problem)});
}

bool has_step(const P& p) {
  return p.access == access::offset || p.access == access::strided;
}

}  // namespace

Kernel strided_kernel() {
  return make_kernel<P>({
      .pattern = "map",
      .name = "strided",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
                   .axis("access", &P::access,
                         {access::contiguous, access::permuted, access::offset, access::strided, access::broadcast})
                   .axis("step", &P::step, {0, 1, 2, 4, 8, 16, 32, 64, 128})
                   .require("a step where there is an offset or a stride",
                            [](const P& p) { return has_step(p) == (p.step > 0); })
                   .require("an offset of less than a warp",
                            [](const P& p) { return p.access != access::offset || p.step < 32; })
                   .require("a stride of 2 or more, and of a block at most",
                            [](const P& p) {
                              return p.access != access::strided || (p.step >= 2 && p.step <= p.block_size);
                            })
                   .require("a tile of 2^15 elements at most",
                            [](const P& p) { return p.access != access::strided || p.block_size * p.step <= 1 << 15; }),
      .plan = plan,
      .tile =
          [](const P& p) {
            const std::int64_t groups = p.access == access::strided ? std::max(p.step, p.coarsening) : p.coarsening;
            return std::vector<std::int64_t>{p.block_size * groups};
          },
      .depth = [](const P&, const Problem&, const Device&) { return 1.0; },
      .supports = [](const P&, const Problem& problem, const Device&) { return refuses_as_axpy(problem); },
      .steps =
          [](const P& p, const Problem& problem) {
            const double reads = p.access == access::broadcast ? 32 : 1;
            return reads * static_cast<double>(problem.elements());
          },
      .loads_in_flight = [](const P& p) { return 2 * p.coarsening; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::map
