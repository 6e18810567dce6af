// Parameter space and launch plan of matmul/wgmma_tma.
#include "kernels/matmul/wgmma_tma.cuh"

#include <string>

#include "kernels/matmul/warpgroup_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = wgmma_tma_params;

int bytes_of_stage(const P& p) {
  return (p.tile_m + p.tile_n) * kRowBytes;
}

/// Elements in a row of a box.
int in_a_row(ElementType type) {
  return kRowBytes / static_cast<int>(size_of(type));
}

/// A matrix whose boxes have rows of 128 bytes.
Argument boxes_of(const std::string& buffer, ElementType type, std::int64_t rows, std::int64_t columns,
                  std::int64_t pitch, int box_rows) {
  return TensorMapArgument{.matrix = {.buffer = buffer},
                           .map = {.element_bytes = static_cast<int>(size_of(type)),
                                   .columns = columns,
                                   .rows = rows,
                                   .pitch = pitch,
                                   .box_columns = in_a_row(type),
                                   .box_rows = box_rows,
                                   .swizzle = kRowBytes}};
}

Plan plan(const P& p, const PlanRequest& request) {
  Plan plan = product_plan(request, "wgmma_tma", {.x = persistent_blocks(p, request.problem, request.device)},
                           {.x = static_cast<std::uint32_t>(group_threads(p))},
                           static_cast<std::uint32_t>(p.stages * bytes_of_stage(p)));
  if (plan.steps.empty()) return plan;
  extents e = extents_of(request.problem);
  auto& launch = std::get<Launch>(plan.steps.front().what);
  const ElementType type = request.problem.type();
  launch.arguments[0] = boxes_of("a", type, e.m, e.k, e.lda, p.tile_m);
  launch.arguments[1] = is_transposed(request.problem) ? boxes_of("b", type, e.n, e.k, e.ldb, p.tile_n)
                                                       : boxes_of("b", type, e.k, e.n, e.ldb, in_a_row(type));
  return plan;
}

SpaceOf<P> space() {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, {64, 128, 192, 256})
      .axis("tile_n", &P::tile_n, {64, 128, 192, 256})
      .axis("stages", &P::stages, {2, 3, 4, 5, 6, 8});
  add_stage_axes(space, 1, kFillingRegisters, bytes_of_stage);
  space.require("registers for the sums of a stage of 8-bit floats", [](const P& p, const Surroundings& around) {
    return around.type() != ElementType::e4m3 || has_registers(p, 2, kFillingRegisters);
  });
  return space;
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  const auto bytes = static_cast<std::int64_t>(size_of(problem.type()));
  const std::string no_groups = no_warpgroups(device);
  if (!no_groups.empty()) return no_groups;
  if (!has_short_elements(problem)) return "multiplies elements of 8 and 16 bits and TF32 only";
  if (!is_transposed(problem) && !has_halves(problem)) return "multiplies a plain B of 16-bit elements only";
  const extents e = extents_of(problem);
  if (e.k == 0) return "a tensor map needs at least one element";
  if (e.lda * bytes % 16 != 0 || e.ldb * bytes % 16 != 0) return "rows of A and B must begin at multiples of 16 bytes";
  const std::string several = refuses_several_products(problem);
  return several.empty() ? tiled_refusal(p, problem, device) : several;
}

}  // namespace

Kernel wgmma_tma_kernel() {
  KernelOf<P> kernel = kernel_of_groups("wgmma_tma", space(), kTermsOfHalves, 1);
  kernel.plan = plan;
  kernel.depth = [](const P&, const Problem& problem, const Device&) {
    const auto terms = static_cast<double>(problem.shape[2]);
    return problem.type() == ElementType::e4m3 ? float8_depth(terms, kRowBytes) : matrix_unit_depth(terms);
  };
  kernel.edges = [](const P& p, const Problem& problem) { return group_edges(p, in_a_row(problem.type())); };
  kernel.steps = [](const P& p, const Problem& problem) {
    return group_steps(p, problem, in_a_row(problem.type()), 1);
  };
  kernel.supports = supports;
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
