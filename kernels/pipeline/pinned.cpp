// Parameter space and launch plan of pipeline/pinned.
#include "kernels/pipeline/pinned.cuh"

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {

Kernel pinned_kernel() {
  using P = pinned_params;
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "pinned",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512})
                   .axis("coarsening", &P::coarsening, {1, 4})
                   .axis("direct", &P::direct, {false, true})
                   .implied("streams", "1", "pipeline/many_streams has several streams")
                   .implied("chunks", "1", "pipeline/one_stream and pipeline/many_streams have several chunks"),
      .plan =
          [](const P& p, const PlanRequest& request) {
            Pipeline pipeline(request, "pinned", {.block_size = p.block_size, .coarsening = p.coarsening},
                              Where::pinned);
            const std::int64_t elements = request.problem.elements();
            if (!p.direct) {
              through_slots(pipeline, chunks_of(elements, 1), 1);
            } else if (elements > 0) {
              pipeline.launch("in", 0, "out", 0, elements, 0);
              pipeline.synchronise();
            }
            return pipeline.take();
          },
      .tile = tile_extents<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "direct"},
  });
}

}  // namespace warpwright::pipeline
