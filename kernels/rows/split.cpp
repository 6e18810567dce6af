// Parameter space and launch plan of rows/split.
#include "kernels/rows/split.cuh"

#include "kernels/rows/plans.hpp"

namespace warpwright::rows {
namespace {

using P = split_params;

std::int64_t blocks(const P& p, const Problem& problem) {
  return problem.shape[0] * p.parts;
}

/// The statistics of all parts are three floats each.
Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  const std::int64_t parts = blocks(p, problem);
  plan.buffers.push_back({.name = "found", .role = Role::scratch, .type = ElementType::f32, .count = 3 * parts});
  const auto x = static_cast<std::uint32_t>(parts);
  plan.steps.push_back(
      {.what = Launch{.entry = request.entry("split_measure", entry_arguments(problem)),
                      .grid = {.x = x},
                      .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                      .arguments = {pointer_to("in"), pointer_to("found"), matrix_argument(problem)}}});
  plan.steps.push_back(
      row_step(request, "split", {.blocks = parts, .block_size = p.block_size}, {pointer_to("found")}));
  return plan;
}

double depth(const P& p, const Problem& problem, const Device&) {
  const int held = p.vector_width * p.unroll;
  const std::int64_t chunks = divide_up(problem.shape[1], std::int64_t{p.block_size} * held * p.parts) + 1;
  const int combinations = levels_of(p.block_size) + levels_of(p.parts) + 1;
  return depth_of_passes(held) + depth_of_combinations(static_cast<double>(chunks + combinations));
}

}  // namespace

Kernel split_kernel() {
  return make_kernel<P>({
      .pattern = "rows",
      .name = "split",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("parts", &P::parts, {1, 2, 4, 8, 16, 32, 64})
                   .axis("vector_width", &P::vector_width, {1, 2, 4, 8})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8})
                   .require(kOneAccess, is_one_access<P>),
      .plan = plan,
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{1, std::int64_t{p.block_size} * p.vector_width * p.unroll * p.parts};
          },
      .depth = depth,
      .supports = [](const P& p, const Problem& problem,
                     const Device&) { return refusal(problem, blocks(p, problem), p.vector_width); },
      .steps = [](const P& p, const Problem& problem) { return steps_of(problem, p.block_size * p.parts); },
      .loads_in_flight = [](const P& p) { return p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::rows
