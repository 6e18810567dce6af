// Parameter space and launch plan of pipeline/managed_prefetch.
#include "kernels/pipeline/managed_prefetch.cuh"

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {

Kernel managed_prefetch_kernel() {
  using P = managed_prefetch_params;
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "managed_prefetch",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512})
                   .axis("coarsening", &P::coarsening, {1, 4})
                   .axis("streams", &P::streams, {1, 2, 4, 8})
                   .axis("chunks", &P::chunks, {1, 4, 8, 16, 32})
                   .require("no more streams than chunks", [](const P& p) { return p.streams <= p.chunks; }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            Pipeline pipeline(request, "managed_prefetch", {.block_size = p.block_size, .coarsening = p.coarsening},
                              Where::managed);
            int next = 0;
            for (const Chunk& chunk : chunks_of(request.problem.elements(), p.chunks)) {
              const int stream = next++ % p.streams;
              pipeline.prefetch("in", chunk, false, stream);
              pipeline.prefetch("out", chunk, false, stream);
              pipeline.launch("in", chunk.begin, "out", chunk.begin, chunk.count, stream);
              pipeline.prefetch("out", chunk, true, stream);
            }
            if (next > 0) pipeline.synchronise();
            return pipeline.take();
          },
      .tile = tile_extents<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "streams", "chunks"},
  });
}

}  // namespace warpwright::pipeline
