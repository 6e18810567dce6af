// Parameter space and launch plan of matmul/wgmma_tma.
#include "kernels/matmul/wgmma_tma.cuh"

#include <string>

#include "kernels/matmul/warpgroup_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = wgmma_tma_params;

constexpr int kElementBytes = 2;
constexpr int kColumns = 64;  ///< of a box of a plain B: a row has 128 bytes

int bytes_of_stage(const P& p) {
  return (p.tile_m + p.tile_n) * kTermsOfHalves * kElementBytes;
}

/// A matrix whose boxes have rows of 128 bytes.
Argument boxes_of(const std::string& buffer, std::int64_t rows, std::int64_t columns, std::int64_t pitch,
                  int box_rows) {
  return TensorMapArgument{.matrix = {.buffer = buffer},
                           .map = {.element_bytes = kElementBytes,
                                   .columns = columns,
                                   .rows = rows,
                                   .pitch = pitch,
                                   .box_columns = kColumns,
                                   .box_rows = box_rows,
                                   .swizzle = kColumns * kElementBytes}};
}

Plan plan(const P& p, const PlanRequest& request) {
  Plan plan = product_plan(request, "wgmma_tma", {.x = persistent_blocks(p, request.problem, request.device)},
                           {.x = static_cast<std::uint32_t>(group_threads(p))},
                           static_cast<std::uint32_t>(p.stages * bytes_of_stage(p)));
  if (plan.steps.empty()) return plan;
  extents e = extents_of(request.problem);
  auto& launch = std::get<Launch>(plan.steps.front().what);
  launch.arguments[0] = boxes_of("a", e.m, e.k, e.lda, p.tile_m);
  launch.arguments[1] = is_transposed(request.problem) ? boxes_of("b", e.n, e.k, e.ldb, p.tile_n)
                                                       : boxes_of("b", e.k, e.n, e.ldb, kTermsOfHalves);
  return plan;
}

SpaceOf<P> space() {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, {64, 128, 192, 256})
      .axis("tile_n", &P::tile_n, {64, 128, 192, 256})
      .axis("stages", &P::stages, {2, 3, 4, 5, 6, 8});
  add_stage_axes(space, 1, kFillingRegisters, bytes_of_stage);
  return space;
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  constexpr int kAligned = 16 / kElementBytes;
  const std::string no_groups = no_warpgroups(device);
  if (!no_groups.empty()) return no_groups;
  if (!has_halves(problem)) return "multiplies 16-bit elements only";
  const extents e = extents_of(problem);
  if (e.k == 0) return "a tensor map needs at least one element";
  if (e.lda % kAligned != 0 || e.ldb % kAligned != 0) return "rows of A and B must begin at multiples of 16 bytes";
  return tiled_refusal(p, problem, device);
}

}  // namespace

Kernel wgmma_tma_kernel() {
  KernelOf<P> kernel = kernel_of_groups("wgmma_tma", space(), kTermsOfHalves, 1);
  kernel.plan = plan;
  kernel.depth = [](const P&, const Problem& problem, const Device&) {
    return matrix_unit_depth(static_cast<double>(problem.shape[2]));
  };
  kernel.supports = supports;
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
