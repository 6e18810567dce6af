// The space and plan of scale/planted.
#include "scale/planted.cuh"

#include "scale/plans.hpp"

namespace warpwright::scale {

Kernel planted_kernel() {
  using P = planted_params;
  return make_kernel<P>(
      {.pattern = "scale",
       .name = "planted",
       .default_params = {},
       .space = SpaceOf<P>{}
                    .axis("block_size", &P::block_size, {128})
                    .axis("fault", &P::fault,
                          {fault::none, fault::does_not_compile, fault::hangs, fault::writes_out_of_bounds,
                           fault::changes_its_input, fault::is_wrong_and_fast}),
       .plan = [](const P& p, const PlanRequest& request) { return scale_plan(request, "planted", p.block_size); },
       .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; }});
}

}  // namespace warpwright::scale
