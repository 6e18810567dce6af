// Plans shared by the histograms.
#include "kernels/histogram/plans.hpp"

#include <algorithm>

#include "kernels/histogram/binning.cuh"

namespace warpwright::histogram {
namespace {

/// Whether every key that there can be has a bin.
bool is_total(const Problem& problem) {
  return problem.type() == ElementType::u8 && problem.integer("bins") >= 256;
}

unsigned bins_of(const Problem& problem) {
  return static_cast<unsigned>(problem.integer("bins"));
}

/// The struct of device code; its bytes are the same for all keys.
ValueArgument binning_of(const Problem& problem) {
  const std::string type = "warpwright::histogram::binning<" + std::string(name_of(problem.type())) +
                           (is_total(problem) ? ", true>" : ", false>");
  return value_of(type, binning<unsigned, false>{bins_of(problem)});
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
  plan.steps.push_back({.what = Launch{.entry = request.entry(how.function, {std::string(name_of(problem.type())),
                                                                             is_total(problem) ? "true" : "false"}),
                                       .grid = {.x = static_cast<std::uint32_t>(how.blocks)},
                                       .block = {.x = static_cast<std::uint32_t>(how.block_size)},
                                       .shared_bytes = static_cast<std::uint32_t>(how.shared_bytes),
                                       .arguments = {pointer_to("in"), pointer_to(by_rows ? "rows" : "out"),
                                                     binning_of(problem), value(problem.elements())}}});
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

std::string refused_bytes(std::int64_t bytes, const Device& device) {
  if (bytes <= device.shared_per_block_optin) return "";
  return "needs " + std::to_string(bytes) + " bytes of shared memory a block, of which there are " +
         std::to_string(device.shared_per_block_optin);
}

std::vector<std::pair<finish, std::string>> finishes() {
  return {{finish::atomic, "warpwright::histogram::finish::atomic"},
          {finish::merge, "warpwright::histogram::finish::merge"}};
}

}  // namespace warpwright::histogram
