// Parameter space and launch plan of pipeline/oversubscribed.
#include "kernels/pipeline/oversubscribed.cuh"

#include <algorithm>

#include "kernels/pipeline/plans.hpp"

namespace warpwright::pipeline {
namespace {

using P = oversubscribed_params;

/// Number of copies of the result in the arena: so many that they exceed the board's memory, or a few if there is no
/// board.
std::int64_t copies_of(const P& p, const Problem& problem, const Device& device) {
  constexpr std::int64_t kWithoutBoard = 3;
  if (device.memory_bytes == 0) return kWithoutBoard;
  const std::int64_t bytes = problem.elements() * static_cast<std::int64_t>(size_of(problem.type()));
  return std::max<std::int64_t>(divide_up(device.memory_bytes / 100 * p.percent, std::max<std::int64_t>(bytes, 1)), 1);
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  const std::int64_t elements = problem.elements();
  Plan made{.buffers = buffers(problem, Where::managed), .steps = {}};
  if (elements == 0) return made;
  const std::int64_t copies = copies_of(p, problem, request.device);
  made.buffers.push_back({.name = "arena",
                          .role = Role::scratch,
                          .type = problem.type(),
                          .count = copies * elements,
                          .where = Where::managed});
  const std::int64_t blocks = divide_up(elements, tile_elements(p));
  const auto launch = [&](const std::string& function, std::vector<Argument> arguments) {
    made.steps.push_back(
        {.what = Launch{.entry = request.entry(function, {std::string(name_of(problem.type()))}),
                        .grid = {.x = static_cast<std::uint32_t>(std::min(blocks, std::int64_t{1} << 30))},
                        .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                        .arguments = std::move(arguments)}});
  };
  launch("oversubscribed", {pointer_to("in"), pointer_to("arena"), value(copies), value(elements),
                            value(static_cast<int>(problem.integer("operations")))});
  launch("gather", {pointer_to("arena"), pointer_to("out"), value(copies), value(elements)});
  made.steps.push_back({.what = Synchronise{}});
  return made;
}

/// Pages that leave the board's memory may belong to other processes.
std::string supports(const P&, const Problem&, const Device& device) {
  if (device.memory_bytes == 0 || device.is_ours_alone) return {};
  return "uses more memory than the GPU has, which disturbs others who use it: give --whole-board if there are none";
}

double steps(const P& p, const Problem& problem) {
  // The share that fits the board's memory is not known here; in the simulator the arena has three copies.
  return static_cast<double>(problem.elements()) * 4 * (1 + problem.number("operations") / 64) * p.percent / 100;
}

}  // namespace

Kernel oversubscribed_kernel() {
  return make_kernel<P>({
      .pattern = "pipeline",
      .name = "oversubscribed",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {256, 512})
                   .axis("coarsening", &P::coarsening, {1, 4})
                   .axis("percent", &P::percent, {125, 150}),
      .plan = plan,
      .tile = tile_extents<P>,
      .supports = supports,
      .steps = steps,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"coarsening", "percent"},
  });
}

}  // namespace warpwright::pipeline
