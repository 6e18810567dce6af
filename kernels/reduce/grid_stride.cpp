// The space and plan of reduce/grid_stride.
#include "kernels/reduce/grid_stride.cuh"

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {
namespace {

using P = grid_stride_params;

std::int64_t per_block(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening * p.vector_width;
}

std::int64_t grid_blocks(const P& p, const Problem& problem, const Device& device) {
  return persistent_blocks(problem, device, per_block(p), p.grid_blocks_per_sm);
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const std::string type(name_of(problem.type()));
  const std::int64_t blocks = grid_blocks(p, problem, request.device);
  // One block's result needs no combining: it goes where the result of the second kernel would.
  const bool is_alone = p.finish == finish::second_kernel && blocks == 1;

  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.push_back({.name = "partials",
                          .role = Role::scratch,
                          .type = problem.type(),
                          .count = p.finish == finish::atomic ? 0 : blocks});
  plan.buffers.push_back(
      {.name = "arrived", .role = Role::scratch, .type = ElementType::u32, .count = 1, .self_restoring = true});
  if (p.finish == finish::atomic)
    plan.steps.push_back({.what = Memset{.buffer = "out", .count = 1, .value = identity(problem)}});
  plan.steps.push_back(
      {.what = Launch{.entry = request.entry("grid_stride", {type, operator_name(problem)}),
                      .grid = {.x = static_cast<std::uint32_t>(blocks)},
                      .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                      .arguments = {pointer_to("in"), pointer_to("out"), pointer_to(is_alone ? "out" : "partials"),
                                    pointer_to("arrived"), value(problem.elements())}}});
  if (p.finish == finish::second_kernel && !is_alone)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::reduce::finish_partials<" + type + ", " + operator_name(problem) + ">",
                        .grid = {.x = 1},
                        .block = {.x = 512},
                        .arguments = {pointer_to("partials"), pointer_to("out"), value(static_cast<int>(blocks))}}});
  return plan;
}

double depth(const P& p, const Problem& problem, const Device& device) {
  constexpr double kShuffles = 10;
  const auto blocks = static_cast<double>(grid_blocks(p, problem, device));
  const double per_thread = static_cast<double>(problem.elements()) / (blocks * p.block_size) + p.vector_width + 1;
  if (p.finish == finish::atomic) return per_thread + kShuffles + blocks;
  const double finishing_threads = p.finish == finish::second_kernel ? 512 : p.block_size;
  return per_thread + kShuffles + blocks / finishing_threads + 1 + kShuffles;
}

}  // namespace

Kernel grid_stride_kernel() {
  return make_kernel<P>({
      .pattern = "reduce",
      .name = "grid_stride",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8})
                   .axis("finish", &P::finish,
                         {{finish::atomic, "warpwright::reduce::finish::atomic"},
                          {finish::second_kernel, "warpwright::reduce::finish::second_kernel"},
                          {finish::last_block, "warpwright::reduce::finish::last_block"}})
                   .require("at most 16 elements in flight a thread",
                            [](const P& p) { return p.coarsening * p.vector_width <= 16; })
                   .require("at most 2048 threads an SM",
                            [](const P& p) { return p.block_size * p.grid_blocks_per_sm <= 2048; }),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth = depth,
      .loads_in_flight = coarsening_in_flight<P>,
      // Atomics of floats, in the order in which blocks finish, round differently or tell zeros apart.
      .deterministic =
          [](const P& p, const Problem& problem) { return p.finish != finish::atomic || !is_floating(problem.type()); },
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::reduce
