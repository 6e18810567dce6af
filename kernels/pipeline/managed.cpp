// Parameter space and launch plan of pipeline/managed.
#include "kernels/pipeline/managed.cuh"

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {

Kernel managed_kernel() {
  using P = managed_params;
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "managed",
      .default_params = {},
      .space = streams_space<P>(),
      .plan =
          [](const P& p, const PlanRequest& request) {
            Pipeline pipeline(request, "managed", {.block_size = p.block_size, .coarsening = p.coarsening},
                              Where::managed);
            int next = 0;
            for (const Chunk& chunk : chunks_of(request.problem.elements(), p.chunks))
              pipeline.launch("in", chunk.begin, "out", chunk.begin, chunk.count, next++ % p.streams);
            if (next == 0) return pipeline.take();
            // Otherwise the pages would stay on the device until the host touches them.
            pipeline.synchronise();
            pipeline.visit_output();
            return pipeline.take();
          },
      .tile = tile_extents<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "streams", "chunks"},
  });
}

}  // namespace warpwright::pipeline
