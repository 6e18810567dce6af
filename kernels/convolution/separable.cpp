// Parameter space and launch plan of convolution/separable.
#include "kernels/convolution/separable.cuh"

#include "kernels/convolution/plans.hpp"

namespace warpwright::convolution {
namespace {

using P = separable_params;

Dim3 block(const P& p) {
  return {.x = static_cast<std::uint32_t>(p.block_x), .y = static_cast<std::uint32_t>(p.block_y)};
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  const ElementType type = problem.type();
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  const std::int64_t filter = problem.integer("filter");
  plan.buffers.push_back({.name = "factors", .role = Role::scratch, .type = type, .count = 2 * filter});
  plan.buffers.push_back({.name = "between", .role = Role::scratch, .type = type, .count = problem.elements()});
  plan.steps.push_back({.what = Launch{.entry = "warpwright::convolution::separate<" + std::string(name_of(type)) +
                                                ", " + std::to_string(filter) + ">",
                                       .grid = {.x = 1},
                                       .block = {.x = separating_threads},
                                       .arguments = {pointer_to("filter"), pointer_to("factors")}}});
  plan.steps.push_back(
      tile_launch(request, "along_rows",
                  {.rows = p.block_y, .columns = std::int64_t{p.block_x} * p.coarsening, .threads = block(p)},
                  {"image", "factors", "between"}));
  plan.steps.push_back(
      tile_launch(request, "along_columns",
                  {.rows = std::int64_t{p.block_y} * p.coarsening, .columns = p.block_x, .threads = block(p)},
                  {"between", "factors", "out"}));
  return plan;
}

}  // namespace

Kernel separable_kernel() {
  return make_kernel<P>({
      .pattern = "convolution",
      .name = "separable",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_x", &P::block_x, {32, 64, 128, 256})
                   .axis("block_y", &P::block_y, {1, 2, 4, 8})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
                   .axis("unroll", &P::unroll, {1, 3, 5})
                   .require("block of 64 to 256 threads",
                            [](const P& p) { return p.block_x * p.block_y >= 64 && p.block_x * p.block_y <= 256; }),
      .plan = plan,
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{std::int64_t{p.block_y} * p.coarsening,
                                             std::int64_t{p.block_x} * p.coarsening};
          },
      // A chain over a row, one over a column, and the division for a row factor.
      .depth = [](const P&, const Problem& problem, const Device&) { return 2 * problem.number("filter") + 1; },
      .supports = [](const P&, const Problem& problem, const Device&) -> std::string {
        return is_separable(problem) ? "" : "takes filters that are outer products only (form=separable)";
      },
      .steps =
          [](const P&, const Problem& problem) {
            return static_cast<double>(problem.elements()) * 2 * problem.number("filter");
          },
      .loads_in_flight = [](const P& p) { return p.coarsening; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::convolution
