// The space and plan of compact/pack.
#include "kernels/compact/pack.cuh"

#include "kernels/compact/plans.hpp"

namespace warpwright::compact {
namespace {

using P = pack_params;

std::int64_t per_block(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening;
}

Launch launch(std::string entry, std::int64_t blocks, int block_size, std::vector<Argument> arguments) {
  return {.entry = std::move(entry),
          .grid = {.x = static_cast<std::uint32_t>(blocks)},
          .block = {.x = static_cast<std::uint32_t>(block_size)},
          .arguments = std::move(arguments)};
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const std::int64_t tiles = divide_up(problem.elements(), per_block(p));
  const std::vector<std::string> of{std::string(name_of(problem.type())), predicate_name(problem)};
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.push_back({.name = "counts", .role = Role::scratch, .type = ElementType::i64, .count = tiles});
  plan.steps.push_back({.what = launch(request.entry("pack_count", of), tiles, p.block_size,
                                       {pointer_to("in"), pointer_to("counts"), value(problem.elements())})});
  plan.steps.push_back({.what = launch("warpwright::compact::pack_scan<" + std::to_string(p.scan_block) + ">", 1,
                                       p.scan_block, {pointer_to("counts"), pointer_to("count"), value(tiles)})});
  plan.steps.push_back(
      {.what = launch(request.entry("pack", of), tiles, p.block_size,
                      {pointer_to("in"), pointer_to("out"), pointer_to("counts"), value(problem.elements())})});
  return plan;
}

}  // namespace

Kernel pack_kernel() {
  return make_kernel<P>({
      .pattern = "compact",
      .name = "pack",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {8, 16, 24, 32})
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("scan_block", &P::scan_block, {128, 512, 1024})
                   .axis("min_blocks", &P::min_blocks, {1, 2, 4})
                   .require("at most 128 bytes held a thread",
                            [](const P& p, const Surroundings& around) {
                              return p.coarsening * static_cast<int>(size_of(around.type())) <= 128;
                            })
                   // Fewer threads fit anyway, and more have too few registers.
                   .require("launch bounds ask for 1024 threads an SM, or for nothing",
                            [](const P& p) { return p.min_blocks == 1 || p.block_size * p.min_blocks == 1024; }),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      // Where the counts of tiles fill the block that scans them.
      .edges = [](const P& p, const Problem&) -> std::vector<std::vector<std::int64_t>> {
        const std::int64_t full = per_block(p) * p.scan_block;
        return {{full - 1}, {full}, {full + 1}};
      },
      // Every element is read twice.
      .steps = [](const P&, const Problem& problem) { return 2 * static_cast<double>(problem.elements()); },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width; },
      .deterministic = always_deterministic<P>,
      .launch_axes = {"scan_block"},
  });
}

}  // namespace warpwright::compact
