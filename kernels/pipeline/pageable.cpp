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
      .space = streams_space<P>(),
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
