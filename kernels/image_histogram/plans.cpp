// Plans shared by the kernels of image_histogram.
#include "kernels/image_histogram/plans.hpp"

#include <algorithm>

namespace warpwright::image_histogram {

std::vector<Buffer> buffers(const Problem& problem) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements()},
          {.name = "out",
           .role = Role::out,
           .type = ElementType::u32,
           .count = tiling_of(problem).tiles * problem.integer("bins")}};
}

Plan counting_plan(const PlanRequest& request, const Counting& how) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  if (how.adds)
    plan.steps.push_back({.what = Memset{.buffer = "out", .count = plan.buffer("out").count, .value = value(0U)}});
  const tiling image = tiling_of(problem);
  const auto blocks =
      std::min(static_cast<std::int64_t>(image.tiles), std::int64_t{request.device.sm_count} * how.blocks_per_sm);
  plan.steps.push_back({.what = Launch{.entry = request.entry(how.function, binned::template_arguments(problem)),
                                       .grid = {.x = static_cast<std::uint32_t>(blocks)},
                                       .block = {.x = static_cast<std::uint32_t>(how.block_size)},
                                       .shared_bytes = static_cast<std::uint32_t>(how.shared_bytes),
                                       .arguments = {pointer_to("in"), pointer_to("out"), binned::binning_of(problem),
                                                     value_of("warpwright::image_histogram::tiling", image)}}});
  return plan;
}

}  // namespace warpwright::image_histogram
