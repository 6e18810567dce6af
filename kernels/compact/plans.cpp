// Plans shared by the kernels of compact.
#include "kernels/compact/plans.hpp"

namespace warpwright::compact {

std::vector<Buffer> buffers(const Problem& problem) {
  const auto elements = [&](const char* name, Role role) {
    return Buffer{.name = name, .role = role, .type = problem.type(), .count = problem.elements()};
  };
  if (operation_of(problem) == operation::split)
    return {elements("in", Role::in), elements("packed", Role::in), elements("out", Role::out)};
  return {elements("in", Role::in),
          elements("out", Role::out),
          {.name = "count", .role = Role::out, .type = ElementType::i64, .count = 1}};
}

std::string predicate_name(const Problem& problem) {
  return "warpwright::compact::" + problem.option("predicate");
}

std::vector<std::string> arguments(const Problem& problem) {
  return {std::string(name_of(problem.type())), predicate_name(problem)};
}

Plan empty_plan(const Problem& problem) {
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (operation_of(problem) != operation::split)
    plan.steps.push_back({.what = Memset{.buffer = "count", .count = 1, .value = value(std::int64_t{0})}});
  return plan;
}

bool fits_blocks(int staged_bytes, int block_size, int min_blocks, const Device& device) {
  // Beside the staged elements: one total per warp, and two words.
  const int bytes = staged_bytes + block_size / 32 * 4 + 2 * 16;
  return bytes <= device.shared_per_block_optin &&
         min_blocks * (bytes + device.shared_reserved_per_block) <= device.shared_per_sm;
}

Launch launch(std::string entry, const Grid& grid, std::vector<Argument> arguments) {
  return {.entry = std::move(entry),
          .grid = {.x = static_cast<std::uint32_t>(grid.blocks)},
          .block = {.x = static_cast<std::uint32_t>(grid.block_size)},
          .shared_bytes = static_cast<std::uint32_t>(grid.shared_bytes),
          .arguments = std::move(arguments)};
}

Plan counted_plan(const PlanRequest& request, const Grid& tiles, int scan_block) {
  Plan plan{.buffers = buffers(request.problem), .steps = {}};
  plan.buffers.push_back({.name = "counts", .role = Role::scratch, .type = ElementType::i64, .count = tiles.blocks});
  plan.steps.push_back({.what = launch(request.entry("count_tiles", arguments(request.problem)),
                                       {.blocks = tiles.blocks, .block_size = tiles.block_size},
                                       {pointer_to("in"), pointer_to("counts"), value(request.problem.elements())})});
  plan.steps.push_back({.what = launch("warpwright::compact::scan_counts<" + std::to_string(scan_block) + ">",
                                       {.blocks = 1, .block_size = scan_block},
                                       {pointer_to("counts"), pointer_to("count"), value(tiles.blocks)})});
  return plan;
}

Plan look_back_plan(const Problem& problem, std::int64_t tiles, bool restores_itself) {
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.push_back({.name = "descriptors",
                          .role = Role::scratch,
                          .type = ElementType::u64,
                          .count = tiles,
                          .self_restoring = restores_itself});
  plan.buffers.push_back(
      {.name = "counters", .role = Role::scratch, .type = ElementType::u32, .count = 2, .self_restoring = true});
  if (!restores_itself)
    plan.steps.push_back({.what = Memset{.buffer = "descriptors", .count = tiles, .value = value(std::uint64_t{0})}});
  return plan;
}

}  // namespace warpwright::compact
