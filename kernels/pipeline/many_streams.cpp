// Parameter space and launch plan of pipeline/many_streams.
#include "kernels/pipeline/many_streams.cuh"

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {

Kernel many_streams_kernel() {
  using P = many_streams_params;
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "many_streams",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512})
                   .axis("coarsening", &P::coarsening, {1, 4})
                   .axis("streams", &P::streams, {2, 3, 4, 8})
                   .axis("chunks", &P::chunks, {4, 8, 16, 32, 64})
                   .axis("staged", &P::staged, {false, true}),
      .plan =
          [](const P& p, const PlanRequest& request) {
            Pipeline pipeline(request, "many_streams", {.block_size = p.block_size, .coarsening = p.coarsening},
                              Where::pinned);
            const std::vector<Chunk> chunks = chunks_of(request.problem.elements(), p.chunks);
            if (p.staged)
              through_stages(pipeline, chunks, p.streams);
            else
              through_slots(pipeline, chunks, p.streams);
            return pipeline.take();
          },
      .tile = tile_extents<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "streams", "chunks", "staged"},
  });
}

}  // namespace warpwright::pipeline
