// Plans shared by the kernels of histogram.
#include "kernels/histogram/plans.hpp"

#include <algorithm>

namespace warpwright::histogram {
namespace {

unsigned bins_of(const Problem& problem) {
  return static_cast<unsigned>(problem.integer("bins"));
}

Step zeroed(const Problem& problem) {
  return {.what = Memset{.buffer = "out", .count = problem.integer("bins"), .value = value(0U)}};
}

}  // namespace

std::vector<Buffer> buffers(const Problem& problem) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements()},
          {.name = "out", .role = Role::out, .type = ElementType::u32, .count = problem.integer("bins")}};
}

Plan empty_plan(const Problem& problem) {
  return {.buffers = buffers(problem), .steps = {zeroed(problem)}};
}

Plan counting_plan(const PlanRequest& request, const Counting& how) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  Plan plan{.buffers = buffers(problem), .steps = {}};
  const bool by_rows = how.finish == finish::merge;
  if (by_rows)
    plan.buffers.push_back({.name = "rows",
                            .role = Role::scratch,
                            .type = ElementType::u32,
                            .count = how.blocks * problem.integer("bins")});
  else
    plan.steps.push_back(zeroed(problem));
  plan.steps.push_back({.what = Launch{.entry = request.entry(how.function, binned::template_arguments(problem)),
                                       .grid = {.x = static_cast<std::uint32_t>(how.blocks)},
                                       .block = {.x = static_cast<std::uint32_t>(how.block_size)},
                                       .shared_bytes = static_cast<std::uint32_t>(how.shared_bytes),
                                       .arguments = {pointer_to("in"), pointer_to(by_rows ? "rows" : "out"),
                                                     binned::binning_of(problem), value(problem.elements())}}});
  if (by_rows)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::histogram::merge_rows",
                        .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.integer("bins"), merge_bins))},
                        .block = {.x = merge_block},
                        .arguments = {pointer_to("rows"), pointer_to("out"), value(static_cast<unsigned>(how.blocks)),
                                      value(bins_of(problem))}}});
  return plan;
}

std::int64_t persistent_blocks(const Problem& problem, const Device& device, std::int64_t per_block,
                               int blocks_per_sm) {
  return std::clamp<std::int64_t>(divide_up(problem.elements(), per_block), 1,
                                  std::int64_t{device.sm_count} * blocks_per_sm);
}

std::vector<finish> finishes() {
  return {finish::atomic, finish::merge};
}

}  // namespace warpwright::histogram
