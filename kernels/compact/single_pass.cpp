// The space and plan of compact/single_pass.
#include "kernels/compact/single_pass.cuh"

#include "kernels/compact/plans.hpp"

namespace warpwright::compact {
namespace {

using P = single_pass_params;

std::int64_t per_block(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening;
}

int element_size(const Surroundings& around) {
  return static_cast<int>(size_of(around.type()));
}

/// Of a block: what is staged, a total per warp, and two words.
int shared_bytes(const P& p, const Surroundings& around) {
  return single_pass_staging(p, element_size(around)) + p.block_size / 32 * 4 + 2 * 16;
}

bool fits_blocks(const P& p, const Surroundings& around) {
  return shared_bytes(p, around) <= around.device.shared_per_block_optin &&
         p.min_blocks * (shared_bytes(p, around) + around.device.shared_reserved_per_block) <=
             around.device.shared_per_sm;
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const std::int64_t tiles = divide_up(problem.elements(), per_block(p));
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.push_back({.name = "descriptors",
                          .role = Role::scratch,
                          .type = ElementType::u64,
                          .count = tiles,
                          .self_restoring = p.restore == restore::last_block});
  plan.buffers.push_back(
      {.name = "counters", .role = Role::scratch, .type = ElementType::u32, .count = 2, .self_restoring = true});
  if (p.restore == restore::memset)
    plan.steps.push_back({.what = Memset{.buffer = "descriptors", .count = tiles, .value = value(std::uint64_t{0})}});
  plan.steps.push_back(
      {.what = Launch{
           .entry = request.entry("single_pass", {std::string(name_of(problem.type())), predicate_name(problem)}),
           .grid = {.x = static_cast<std::uint32_t>(tiles)},
           .block = {.x = static_cast<std::uint32_t>(p.block_size)},
           .shared_bytes =
               static_cast<std::uint32_t>(single_pass_staging(p, static_cast<int>(size_of(problem.type())))),
           .arguments = {pointer_to("in"), pointer_to("out"), pointer_to("count"), pointer_to("descriptors"),
                         pointer_to("counters"), value(problem.elements())}}});
  return plan;
}

}  // namespace

Kernel single_pass_kernel() {
  return make_kernel<P>({
      .pattern = "compact",
      .name = "single_pass",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {8, 16, 24, 32})
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("store", &P::store,
                         {{store::direct, "warpwright::compact::store::direct"},
                          {store::staged, "warpwright::compact::store::staged"}})
                   .axis("window", &P::window, {1, 32})
                   .axis("min_blocks", &P::min_blocks, {1, 2, 4})
                   .axis("restore", &P::restore,
                         {{restore::memset, "warpwright::compact::restore::memset"},
                          {restore::last_block, "warpwright::compact::restore::last_block"}})
                   .require("at most 128 bytes held a thread",
                            [](const P& p, const Surroundings& around) {
                              return p.coarsening * element_size(around) <= 128;
                            })
                   // Fewer threads fit anyway, and more have too few registers.
                   .require("launch bounds ask for 1024 threads an SM, or for nothing",
                            [](const P& p) { return p.min_blocks == 1 || p.block_size * p.min_blocks == 1024; })
                   .require("shared memory holds what is staged", fits_blocks),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::compact
