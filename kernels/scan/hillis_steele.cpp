// Parameter space and launch plan of scan/hillis_steele.
#include "kernels/scan/hillis_steele.cuh"

#include <algorithm>
#include <cmath>

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = hillis_steele_params;

/// Number of steps over an array of this many elements, at least one.
int steps_over(std::int64_t elements) {
  int steps = 1;
  while (std::int64_t{1} << steps < elements) ++steps;
  return steps;
}

/// The first step reads `in`; the others alternate between `out` and `other`, so that the last one writes `out`.
Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  const int steps = steps_over(problem.elements());
  plan.buffers.push_back(
      {.name = "other", .role = Role::scratch, .type = problem.type(), .count = steps == 1 ? 0 : problem.elements()});
  const auto step = [&](const std::string& kind, const std::string& from, const std::string& to, int first_level,
                        Argument index) {
    return Step{.what =
                    Launch{.entry = request.entry("hillis_steele",
                                                  {std::string(name_of(problem.type())), operator_name(problem), kind}),
                           .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.elements(), tile_elements(p)))},
                           .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                           .arguments = {pointer_to(from), pointer_to(to), value(first_level), std::move(index),
                                         value(problem.elements())}}};
  };
  const std::string first = steps % 2 == 1 ? "out" : "other";
  const std::string second = steps % 2 == 1 ? "other" : "out";
  plan.steps.push_back(step(kind_name(problem), "in", first, 0, value(0)));
  if (steps > 1)
    plan.steps.push_back(
        {.what = Repeat{.times = steps - 1,
                        .steps = {step("warpwright::scan::kind::inclusive", first, second, 1, IndexArgument{})},
                        .swaps = {{first, second}}}});
  return plan;
}

}  // namespace

Kernel hillis_steele_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "hillis_steele",
      .default_params = {},
      .space =
          SpaceOf<P>{}
              .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
              .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
              .implied("memory", "global", "scan/kogge_stone has the form in shared memory: buffering=double_buffer"),
      .plan = plan,
      .tile = tile_extents<P>,
      .depth = [](const P&, const Problem& problem, const Device&) { return steps_over(problem.elements()); },
      .steps =
          [](const P&, const Problem& problem) {
            return static_cast<double>(problem.elements()) * steps_over(problem.elements());
          },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::scan
