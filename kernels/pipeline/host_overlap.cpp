// Parameter space and launch plan of pipeline/host_overlap.
#include "kernels/pipeline/host_overlap.cuh"

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {

Kernel host_overlap_kernel() {
  using P = host_overlap_params;
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "host_overlap",
      .default_params = {},
      .space = streams_space<P>().axis("cpu_share", &P::cpu_share, {1, 2, 4, 8, 16, 32}),
      .plan =
          [](const P& p, const PlanRequest& request) {
            Pipeline pipeline(request, "host_overlap", {.block_size = p.block_size, .coarsening = p.coarsening},
                              Where::pinned);
            // The CPU computes the last elements, while the device works on the steps that were queued for it.
            constexpr std::int64_t kParts = 64;
            const std::int64_t elements = request.problem.elements();
            const std::int64_t own = elements * p.cpu_share / kParts;
            through_slots(pipeline, chunks_of(elements - own, p.chunks), p.streams, [&] {
              if (own > 0) pipeline.work_on_host({.begin = elements - own, .count = own});
            });
            return pipeline.take();
          },
      .tile = tile_extents<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "streams", "chunks", "cpu_share"},
  });
}

}  // namespace warpwright::pipeline
