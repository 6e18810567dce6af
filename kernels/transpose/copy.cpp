// Parameter space and launch plan of transpose/copy.
#include "kernels/transpose/copy.cuh"

#include "kernels/transpose/plans.hpp"

namespace warpwright::transpose {

Kernel copy_kernel() {
  using P = copy_params;
  return make_kernel<P>({
      .pattern = "transpose",
      .name = "copy",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("vectors_per_thread", &P::vectors_per_thread, {1, 2, 4, 8})
                   .renamed("coarsening", "vectors_per_thread")
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .require("at most 16 elements a thread",
                            [](const P& p) { return p.vectors_per_thread * p.vector_width <= 16; }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            const std::int64_t per_block = std::int64_t{p.block_size} * p.vectors_per_thread * p.vector_width;
            Plan plan = matrix_plan(request, "copy", divide_up(request.problem.elements(), per_block),
                                    {.x = static_cast<std::uint32_t>(p.block_size)});
            for (Step& step : plan.steps)
              std::get<Launch>(step.what).arguments = {pointer_to("in"), pointer_to("out"),
                                                       value(request.problem.elements())};
            return plan;
          },
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{1, std::int64_t{p.block_size} * p.vectors_per_thread * p.vector_width};
          },
      .supports = [](const P&, const Problem& problem, const Device&) -> std::string {
        return transposes(problem) ? "copies only (op=copy)" : "";
      },
      .loads_in_flight = [](const P& p) { return p.vectors_per_thread; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::transpose
