// The space and plan of peaks/append.
#include "peaks/append.cuh"

#include "kernels/model/catalogue.hpp"

namespace warpwright::peaks {

Kernel append_kernel() {
  using P = append_params;
  return make_kernel<P>({
      .pattern = "peaks",
      .name = "append",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256})
                   .axis("vector_width", &P::vector_width, {1, 2, 4}),
      .plan =
          [](const P& p, const PlanRequest& request) {
            const Problem& problem = request.problem;
            Plan plan{.buffers = catalogue().pattern("peaks").buffers(problem), .steps = {}};
            plan.steps.push_back({.what = Memset{.buffer = "count", .count = 1, .value = value(0U)}});
            if (problem.elements() == 0) return plan;
            for (const char* counter : {"next", "departed"})
              plan.buffers.push_back({.name = counter,
                                      .role = Role::scratch,
                                      .type = ElementType::u32,
                                      .count = 1,
                                      .self_restoring = true});
            plan.steps.push_back(
                {.what = ConstantUpload{
                     .symbol = "warpwright::peaks::bias", .buffer = "bias", .bytes = plan.buffer("bias").bytes()}});
            const std::int64_t blocks = divide_up(problem.elements(), p.block_size * p.vector_width);
            const rule what{.level = static_cast<int>(problem.integer("level"))};
            plan.steps.push_back(
                {.what =
                     Launch{.entry = request.entry("append", {}),
                            .grid = {.x = static_cast<std::uint32_t>(blocks)},
                            .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                            .arguments = {pointer_to("in"), pointer_to("list"), pointer_to("count"), pointer_to("next"),
                                          pointer_to("departed"), value_of("warpwright::peaks::rule", what),
                                          value(static_cast<int>(problem.elements()))}}});
            return plan;
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size * p.vector_width}; },
      .supports = [](const P& p, const Problem& problem, const Device&) -> std::string {
        return problem.elements() % p.vector_width == 0 ? "" : "needs whole vectors of elements";
      },
  });
}

}  // namespace warpwright::peaks
