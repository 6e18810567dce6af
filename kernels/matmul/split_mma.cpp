// Parameter space and launch plan of matmul/split_mma.
#include "kernels/matmul/split_mma.cuh"

#include <cmath>
#include <string>

#include "kernels/matmul/matrix_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = split_mma_params;

constexpr int kPlaneElementBytes = 2;
constexpr int kCopyWidth = 8;

std::string refusal(const Problem& problem) {
  return problem.type() == ElementType::f32 ? "" : "multiplies floats only";
}

std::int64_t padded(std::int64_t count, int tile) {
  return divide_up(count, tile) * tile;
}

Step split(const std::string& of, const plane_extents& e) {
  constexpr std::int64_t kBlock = 256, kTogether = 4;
  return {.what = Launch{.entry = "warpwright::matmul::split_planes<" + std::to_string(kTogether) + ">",
                         .grid = {.x = static_cast<std::uint32_t>(
                                      divide_up(e.padded_rows * e.padded_columns, kBlock * kTogether))},
                         .block = {.x = kBlock},
                         .arguments = {pointer_to(of), pointer_to(of + ".planes"),
                                       value_of("warpwright::matmul::plane_extents", e), pointer_to("unfit")}}};
}

/// Splits A and B, multiplies their planes, and multiplies A and B themselves if they cannot be split.
Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan =
      tiled_plan(p, request, "split_mma",
                 static_cast<std::uint32_t>(kPlanes * stage_bytes(p, is_transposed(problem), kPlaneElementBytes)));
  if (plan.steps.empty()) return plan;
  extents e = extents_of(problem);
  e.k = terms_of(problem);
  extents tiles = e;
  tiles.m = padded(e.m, p.tile_m);
  tiles.n = padded(e.n, p.tile_n);
  tiles.k = padded(e.k, p.tile_k);
  tiles.lda = tiles.k;
  tiles.ldb = is_transposed(problem) ? tiles.k : tiles.n;
  const bool turned = is_transposed(problem);
  const auto planes = [](const std::string& of, std::int64_t count) {
    return Buffer{.name = of + ".planes", .role = Role::scratch, .type = ElementType::u16, .count = kPlanes * count};
  };
  plan.buffers.push_back(planes("a", tiles.m * tiles.k));
  plan.buffers.push_back(planes("b", tiles.n * tiles.k));
  plan.buffers.push_back({.name = "unfit", .role = Role::scratch, .type = ElementType::i32, .count = 1});
  auto product = std::get<Launch>(plan.steps.front().what);
  plan.steps.clear();
  plan.steps.push_back({.what = Memset{.buffer = "unfit", .count = 1, .value = value(0)}});
  if (e.k > 0) {
    plan.steps.push_back(split("a", {e.m, e.k, e.lda, tiles.m, tiles.k}));
    plan.steps.push_back(split("b", turned ? plane_extents{e.n, e.k, e.ldb, tiles.n, tiles.k}
                                           : plane_extents{e.k, e.n, e.ldb, tiles.k, tiles.n}));
  }
  const Argument by = product.arguments[4];
  product.arguments = {pointer_to("a.planes"),
                       pointer_to("b.planes"),
                       pointer_to("c"),
                       value_of("warpwright::matmul::extents", tiles),
                       value(std::int64_t{e.m}),
                       value(std::int64_t{e.n}),
                       by,
                       pointer_to("unfit")};
  plan.steps.push_back({.what = product});
  constexpr std::uint32_t kBlock = 256;
  constexpr int kBlocksPerSm = 8;
  plan.steps.push_back(
      {.what =
           Launch{.entry = request.entry("split_fallback", {std::string(name_of(problem.type())), form_name(problem)}),
                  .grid = {.x = static_cast<std::uint32_t>(request.device.sm_count * kBlocksPerSm)},
                  .block = {.x = kBlock},
                  .arguments = {pointer_to("a"), pointer_to("b"), pointer_to("c"),
                                value_of("warpwright::matmul::extents", e), by, pointer_to("unfit")}}});
  return plan;
}

/// Of a group of terms, the products of the first parts lose what sums of halves do; the five others are less than
/// 2^-7 of them, and so are their errors. The three that are left out lose less than a rounding. Groups are added in
/// float arithmetic.
double depth(const P& p, const Problem& problem, const Device&) {
  constexpr double kOfOtherProducts = 1.05;
  const auto terms = static_cast<double>(std::min<std::int64_t>(problem.shape[2], p.tile_k));
  const auto groups = static_cast<double>(divide_up(problem.shape[2], p.tile_k));
  return std::ceil(kOfOtherProducts * matrix_unit_depth(terms) + groups + 1);
}

int registers_of_lane(const P& p) {
  constexpr int kBeside = 40;
  const int rows = p.warp_m / 16, parts = p.tile_k / 16;
  return p.warp_m * p.warp_n / 32 + rows * 8 + kPlanes * parts * 4 * (rows + 1) + kBeside;
}

SpaceOf<P> space() {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, {64, 128})
      .axis("tile_n", &P::tile_n, {64, 128})
      .axis("tile_k", &P::tile_k, {16, 32})
      .axis("warp_m", &P::warp_m, {32, 64})
      .axis("warp_n", &P::warp_n, {32, 64})
      .axis("bank_pad", &P::bank_pad, {0, 8})
      .axis("stages", &P::stages, {2, 3, 4})
      .axis("group_m", &P::group_m, {1, 8})
      .axis("min_blocks", &P::min_blocks, {1, 2})
      .require("whole parts of the tile for 2 to 16 warps", splits_into_warps<P>)
      .require(kEvenCopies, [](const P& p) { return copies_evenly(p, kCopyWidth, kCopyWidth, kCopyWidth); })
      .require("registers for the sums", [](const P& p) { return registers_of_lane(p) <= most_registers(p); })
      .require("shared memory holds the stages", [](const P& p, const Surroundings& around) {
        return holds_stages(p, kPlanes * kPlaneElementBytes, around.device);
      });
  return space;
}

/// Those of the tiles, and of the fallback.
double steps(const P& p, const Problem& problem) {
  const auto terms = static_cast<double>(problem.shape[2]);
  return tiled_steps(p, problem) + static_cast<double>(problem.elements()) * (2 * terms + 2);
}

}  // namespace

Kernel split_mma_kernel() {
  auto kernel = matrix_tiles<P>("split_mma", space(), refusal);
  kernel.plan = plan;
  kernel.depth = depth;
  kernel.steps = steps;
  kernel.loads_in_flight = [](const P& p) { return loads_of_a_step(p) / kCopyWidth * kPlanes * (p.stages - 1); };
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
