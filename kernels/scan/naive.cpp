// Parameter space and launch plan of scan/naive.
#include "kernels/scan/naive.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = naive_params;

/// Most elements. The number of combinations grows with the square, so beyond this the kernel takes a hundred times as
/// long as the reference: 2^20 elements take at least 0.2 s on an H200, which looks like a hang.
constexpr std::int64_t kMost = std::int64_t{1} << 18;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan made{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return made;
  made.steps.push_back(
      {.what = Launch{.entry = request.entry("naive", arguments(problem)),
                      .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.elements(), tile_elements(p)))},
                      .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                      .arguments = {pointer_to("in"), pointer_to("out"), value(problem.elements())}}});
  return made;
}

}  // namespace

Kernel naive_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "naive",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8, 16}),
      .plan = plan,
      .tile = tile_extents<P>,
      .depth = [](const P&, const Problem& problem, const Device&) { return static_cast<double>(problem.elements()); },
      .supports = [](const P&, const Problem& problem, const Device&) -> std::string {
        return problem.elements() <= kMost ? "" : "n (n - 1) / 2 combinations: at most 2^18 elements";
      },
      .steps =
          [](const P&, const Problem& problem) {
            const auto n = static_cast<double>(problem.elements());
            return n * (n + 1) / 2;
          },
      .loads_in_flight = [](const P& p) { return p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::scan
