// Host-side part shared by the kernels that split floats into planes of bfloat16 numbers.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "kernels/matmul/plans.hpp"
#include "kernels/matmul/split_fallback.cuh"

namespace warpwright::matmul {

inline constexpr int kPlaneElementBytes = 2;

inline std::string refuses_all_but_floats(const Problem& problem, const Device&) {
  if (problem.type() != ElementType::f32) return "multiplies floats only";
  return refuses_several_products(problem);
}

/// The sizes of the planes: whole tiles.
template <class P>
extents padded_extents(const P& p, const Problem& problem, int tile_k) {
  const auto padded = [](std::int64_t count, int tile) { return divide_up(count, tile) * tile; };
  extents tiles = extents_of(problem);
  tiles.m = padded(tiles.m, p.tile_m);
  tiles.n = padded(tiles.n, p.tile_n);
  tiles.k = padded(terms_of(problem), tile_k);
  tiles.lda = tiles.k;
  tiles.ldb = is_transposed(problem) ? tiles.k : tiles.n;
  return tiles;
}

/// The launch of `entry`(operand, its planes, extents, state) with so many blocks of 256 threads.
inline Step split_step(const std::string& entry, const std::string& of, const plane_extents& e, std::int64_t blocks_x,
                       std::int64_t blocks_y = 1) {
  constexpr std::uint32_t kBlock = 256;
  return {.what = Launch{.entry = entry,
                         .grid = {.x = static_cast<std::uint32_t>(blocks_x), .y = static_cast<std::uint32_t>(blocks_y)},
                         .block = {.x = kBlock},
                         .arguments = {pointer_to(of), pointer_to(of + ".planes"),
                                       value_of("warpwright::matmul::plane_extents", e), pointer_to("state")}}};
}

/// The plan of a product of planes, from one that launches the product of A and B: splits both, by these steps,
/// multiplies their planes, and multiplies A and B themselves if they cannot be split, adding sums of `terms` terms.
inline Plan split_product_plan(Plan plan, const PlanRequest& request, const extents& tiles, Step split_a, Step split_b,
                               int terms) {
  const Problem& problem = request.problem;
  extents e = extents_of(problem);
  e.k = terms_of(problem);
  const auto planes = [](const std::string& of, std::int64_t count) {
    return Buffer{.name = of + ".planes", .role = Role::scratch, .type = ElementType::u16, .count = kPlanes * count};
  };
  plan.buffers.push_back(planes("a", tiles.m * tiles.k));
  plan.buffers.push_back(planes("b", tiles.n * tiles.k));
  plan.buffers.push_back({.name = "state",
                          .role = Role::scratch,
                          .type = ElementType::u8,
                          .count = sizeof(split_state),
                          .self_restoring = true});
  auto product = std::get<Launch>(plan.steps.front().what);
  plan.steps.clear();
  // From sm_90, each launch but the first begins while the one before it ends.
  const bool is_programmatic = request.device.compute_capability >= 90;
  if (e.k > 0) {
    plan.steps.push_back(std::move(split_a));
    std::get<Launch>(split_b.what).programmatic = is_programmatic;
    plan.steps.push_back(std::move(split_b));
    product.programmatic = is_programmatic;
  }
  const Argument by = product.arguments[4];
  product.arguments = {pointer_to("a.planes"),
                       pointer_to("b.planes"),
                       pointer_to("c"),
                       value_of("warpwright::matmul::extents", tiles),
                       value(std::int64_t{e.m}),
                       value(std::int64_t{e.n}),
                       by,
                       pointer_to("state")};
  plan.steps.push_back({.what = product});
  constexpr std::uint32_t kBlock = 256;
  constexpr int kBlocksPerSm = 8;
  plan.steps.push_back(
      {.what = Launch{.entry = "warpwright::matmul::split_fallback<" + std::string(name_of(problem.type())) + ", " +
                               form_name(problem) + ", " + std::to_string(terms) + ">",
                      .grid = {.x = static_cast<std::uint32_t>(request.device.sm_count * kBlocksPerSm)},
                      .block = {.x = kBlock},
                      .arguments = {pointer_to("a"), pointer_to("b"), pointer_to("c"),
                                    value_of("warpwright::matmul::extents", e), by, pointer_to("state")},
                      .programmatic = is_programmatic}});
  return plan;
}

/// Of a group of `together` terms, the products of the first parts lose what sums of halves do; the five others are
/// less than 2^-7 of them, and so are their errors. The three that are left out lose less than a rounding. Groups are
/// added in float arithmetic.
inline double split_depth(const Problem& problem, int together) {
  constexpr double kOfOtherProducts = 1.05;
  const auto terms = static_cast<double>(std::min<std::int64_t>(problem.shape[2], together));
  const auto groups = static_cast<double>(divide_up(problem.shape[2], together));
  return std::ceil(kOfOtherProducts * matrix_unit_depth(terms) + groups + 1);
}

}  // namespace warpwright::matmul
