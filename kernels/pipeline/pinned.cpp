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
      .space = streams_space<P>()
                   .axis("direct", &P::direct, {false, true})
                   .require("one chunk for kernels that work on the memory of the host",
                            [](const P& p) { return !p.direct || p.chunks == 1; }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            Pipeline pipeline(request, "pinned", {.block_size = p.block_size, .coarsening = p.coarsening},
                              Where::pinned);
            const std::vector<Chunk> chunks = chunks_of(request.problem.elements(), p.chunks);
            if (!p.direct) {
              through_slots(pipeline, chunks, p.streams);
            } else if (!chunks.empty()) {
              pipeline.launch("in", 0, "out", 0, request.problem.elements(), 0);
              pipeline.synchronise();
            }
            return pipeline.take();
          },
      .tile = tile_extents<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "streams", "chunks", "direct"},
  });
}

}  // namespace warpwright::pipeline
