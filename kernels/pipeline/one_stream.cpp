// Parameter space and launch plan of pipeline/one_stream.
#include "kernels/pipeline/one_stream.cuh"

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {

Kernel one_stream_kernel() {
  using P = one_stream_params;
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "one_stream",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512})
                   .axis("coarsening", &P::coarsening, {1, 4})
                   .axis("chunks", &P::chunks, {4, 16})
                   .removed_value("chunks", "1", "pipeline/pinned copies all data at once"),
      .plan =
          [](const P& p, const PlanRequest& request) {
            Pipeline pipeline(request, "one_stream", {.block_size = p.block_size, .coarsening = p.coarsening},
                              Where::pinned);
            through_slots(pipeline, chunks_of(request.problem.elements(), p.chunks), 1);
            return pipeline.take();
          },
      .tile = tile_extents<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "chunks"},
  });
}

}  // namespace warpwright::pipeline
