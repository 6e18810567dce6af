// The space and plan of scale/plain.
#include "scale/plain.cuh"

#include "scale/plans.hpp"

namespace warpwright::scale {

Kernel plain_kernel() {
  using P = plain_params;
  return make_kernel<P>(
      {.pattern = "scale",
       .name = "plain",
       .default_params = {},
       .space = SpaceOf<P>{}.axis("block_size", &P::block_size, {32, 64, 128, 256}),
       .plan = [](const P& p, const PlanRequest& request) { return scale_plan(request, "plain", p.block_size); },
       .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; }});
}

}  // namespace warpwright::scale
