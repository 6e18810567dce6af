// Parameter space and launch plan of matmul/split_wgmma.
#include "kernels/matmul/split_wgmma.cuh"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/matmul/split_plans.hpp"
#include "kernels/matmul/warpgroup_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = split_wgmma_params;

constexpr int kProducts = 6;

int bytes_of_stage(const P& p) {
  return kPlanes * (p.tile_m + p.tile_n) * kTermsOfRow * kPlaneElementBytes;
}

/// Splits A and B into tiles, multiplies these, and multiplies A and B themselves if they cannot be split.
Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan = product_plan(request, "split_wgmma", {.x = persistent_blocks(p, problem, request.device)},
                           {.x = static_cast<std::uint32_t>(group_threads(p))},
                           static_cast<std::uint32_t>(p.stages * bytes_of_stage(p)));
  if (plan.steps.empty()) return plan;
  const extents e = extents_of(problem);
  const extents tiles = padded_extents(p, problem, kTermsOfRow);
  const auto split = [](const std::string& of, bool is_along_terms, const plane_extents& planes) {
    const std::string entry = "warpwright::matmul::split_tiles<" + std::string(is_along_terms ? "true" : "false") + ">";
    const std::int64_t slices = planes.padded_columns / kTermsOfRow;
    const std::int64_t groups = divide_up(planes.padded_rows, kSplitPlaces);
    return is_along_terms ? split_step(entry, of, planes, slices, groups)
                          : split_step(entry, of, planes, groups, slices);
  };
  return split_product_plan(std::move(plan), request, tiles, split("a", true, {e.m, e.k, e.lda, tiles.m, tiles.k}),
                            split("b", is_transposed(problem), {e.n, e.k, e.ldb, tiles.n, tiles.k}), kTermsOfRow);
}

SpaceOf<P> space() {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, {64, 128, 192})
      .axis("tile_n", &P::tile_n, {64, 96, 128, 192})
      .axis("stages", &P::stages, {2, 3, 4, 5, 6, 8});
  add_stage_axes(space, 2, kFillingRegisters, bytes_of_stage);
  return space;
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  for (const std::string& refusal : {no_warpgroups(device), refuses_all_but_floats(problem, device)})
    if (!refusal.empty()) return refusal;
  // Blocks of a grid in y: slices of terms, or groups of rows or columns.
  constexpr std::int64_t kMost = std::int64_t{65535} * kTermsOfRow;
  if (std::ranges::any_of(problem.shape, [&](std::int64_t extent) { return extent > kMost; }))
    return "an extent of more than 2,097,120";
  return tiled_refusal(p, problem, device);
}

/// Those of the tiles, and of the fallback, whose threads leave unless a number cannot be split.
double steps(const P& p, const Problem& problem) {
  return group_steps(p, problem, kTermsOfRow, kProducts) + static_cast<double>(problem.elements());
}

}  // namespace

Kernel split_wgmma_kernel() {
  KernelOf<P> kernel = kernel_of_groups("split_wgmma", space(), kTermsOfRow, kProducts);
  kernel.plan = plan;
  kernel.depth = [](const P&, const Problem& problem, const Device&) { return split_depth(problem, kTermsOfRow); };
  kernel.supports = supports;
  kernel.steps = steps;
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
