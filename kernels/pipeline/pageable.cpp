// Parameter space and launch plan of pipeline/pageable.
#include "kernels/pipeline/pageable.cuh"

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {

Kernel pageable_kernel() {
  using P = pageable_params;
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "pageable",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512})
                   .axis("coarsening", &P::coarsening, {1, 4})
                   .axis("streams", &P::streams, {1, 2, 4})
                   .axis("chunks", &P::chunks, {1, 4, 16})
                   .require("no more streams than chunks", [](const P& p) { return p.streams <= p.chunks; }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            Pipeline pipeline(request, "pageable", {.block_size = p.block_size, .coarsening = p.coarsening},
                              Where::pageable);
            through_slots(pipeline, chunks_of(request.problem.elements(), p.chunks), p.streams);
            return pipeline.take();
          },
      .tile = tile_extents<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "streams", "chunks"},
  });
}

}  // namespace warpwright::pipeline
