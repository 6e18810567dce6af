// Parameter space and launch plan of pipeline/concurrent.
#include "kernels/pipeline/concurrent.cuh"

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {
namespace {

using P = concurrent_params;

/// One copy in, concurrent kernels, and one copy out after all of them.
Plan plan(const P& p, const PlanRequest& request) {
  Pipeline pipeline(request, "concurrent", {.block_size = p.block_size, .most_blocks = p.blocks}, Where::pinned);
  const std::int64_t elements = request.problem.elements();
  if (elements == 0) return pipeline.take();
  for (const char* name : {"before", "after"}) pipeline.add_scratch(name, elements);
  pipeline.copy("in", 0, "before", 0, elements, 0, "in");
  std::vector<std::string> kernels;
  int stream = 1;
  for (const Chunk& chunk : chunks_of(elements, p.kernels)) {
    kernels.push_back("kernel " + std::to_string(stream));
    pipeline.launch("before", chunk.begin, "after", chunk.begin, chunk.count, stream++, kernels.back(), {"in"});
  }
  pipeline.copy("after", 0, "out", 0, elements, 0, "", kernels);
  pipeline.synchronise();
  return pipeline.take();
}

}  // namespace

Kernel concurrent_kernel() {
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "concurrent",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 1024})
                   .axis("blocks", &P::blocks, {1, 4})
                   .axis("kernels", &P::kernels, {1, 2, 4, 8, 15, 16, 32, 64}),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{std::int64_t{p.block_size} * p.kernels}; },
      .deterministic = always_deterministic<P>,
      .launch_axes = {"blocks", "kernels"},
  });
}

}  // namespace warpwright::pipeline
