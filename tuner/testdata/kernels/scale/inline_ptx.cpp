// The space and plan of scale/inline_ptx.
#include "scale/inline_ptx.cuh"

#include "scale/plans.hpp"

namespace warpwright::scale {

Kernel inline_ptx_kernel() {
  using P = inline_ptx_params;
  return make_kernel<P>(
      {.pattern = "scale",
       .name = "inline_ptx",
       .default_params = {},
       .space = SpaceOf<P>{}.axis("block_size", &P::block_size, {128}).axis("streams", &P::streams, {0, 1}),
       .plan = [](const P& p, const PlanRequest& request) { return scale_plan(request, "inline_ptx", p.block_size); },
       .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; }});
}

}  // namespace warpwright::scale
