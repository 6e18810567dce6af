// Parameter space and launch plan of matmul/wgmma.
#include "kernels/matmul/wgmma.cuh"

#include <string>
#include <utility>

#include "kernels/matmul/warpgroup_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = wgmma_params;

int bytes_of_stage(const P& p) {
  constexpr int kElementBytes = 2;
  return (p.tile_m + p.tile_n) * kTermsOfHalves * kElementBytes;
}

Plan plan(const P& p, const PlanRequest& request) {
  return product_plan(request, "wgmma", {.x = persistent_blocks(p, request.problem, request.device)},
                      {.x = static_cast<std::uint32_t>(group_threads(p))},
                      static_cast<std::uint32_t>(p.stages * bytes_of_stage(p)));
}

SpaceOf<P> space() {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, {64, 128, 192})
      .axis("tile_n", &P::tile_n, {64, 128, 256})
      .axis("stages", &P::stages, {2, 3, 4, 5, 6})
      .axis("ahead", &P::ahead, {1, 2, 3})
      .require("copies under way leave two stages to multiply", [](const P& p) { return p.ahead + 2 <= p.stages; });
  add_stage_axes(space, 1, kCopyingRegisters, bytes_of_stage);
  return space;
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  const std::string no_groups = no_warpgroups(device);
  if (!no_groups.empty()) return no_groups;
  if (!has_halves(problem)) return "multiplies 16-bit elements only";
  const std::string several = refuses_several_products(problem);
  return several.empty() ? tiled_refusal(p, problem, device) : several;
}

}  // namespace

Kernel wgmma_kernel() {
  KernelOf<P> kernel = kernel_of_groups("wgmma", space(), kTermsOfHalves, 1);
  kernel.plan = plan;
  kernel.depth = [](const P&, const Problem& problem, const Device&) {
    return matrix_unit_depth(static_cast<double>(problem.shape[2]));
  };
  kernel.supports = supports;
  kernel.loads_in_flight = [](const P& p) { return p.ahead * (p.tile_m + p.tile_n) / 16; };
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
