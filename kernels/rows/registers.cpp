// Parameter space and launch plan of rows/registers.
#include "kernels/rows/registers.cuh"

#include "kernels/rows/plans.hpp"

namespace warpwright::rows {
namespace {

using P = registers_params;

std::int64_t blocks(const P& p, const Problem& problem) {
  return divide_up(problem.shape[0], p.block_size / p.row_threads);
}

std::int64_t most_columns(const P& p) {
  return std::int64_t{p.row_threads} * p.held * p.vector_width;
}

std::string supports(const P& p, const Problem& problem, const Device&) {
  if (problem.shape[1] > most_columns(p)) return "a row does not fit into the registers of its threads";
  return refusal(problem, blocks(p, problem), p.vector_width);
}

}  // namespace

Kernel registers_kernel() {
  return make_kernel<P>({
      .pattern = "rows",
      .name = "registers",
      .default_params = {},
      .space =
          SpaceOf<P>{}
              .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
              .axis("row_threads", &P::row_threads, {4, 8, 16, 32, 64, 128, 256, 512, 1024})
              .axis("vector_width", &P::vector_width, {1, 2, 4, 8})
              .axis("held", &P::held, {1, 2, 3, 4, 6, 8, 12, 16, 32})
              .require(kOneAccess, is_one_access<P>)
              .require("row_threads is at most block_size", [](const P& p) { return p.row_threads <= p.block_size; })
              .require("at most 256 bytes of elements per thread", holds_few<P>),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return row_plan(request, "registers", {.blocks = blocks(p, request.problem), .block_size = p.block_size});
          },
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{p.block_size / p.row_threads, most_columns(p)};
          },
      .depth =
          [](const P& p, const Problem&, const Device&) {
            return depth_of_passes(p.held * p.vector_width) + depth_of_combinations(levels_of(p.row_threads));
          },
      .supports = supports,
      .steps = [](const P& p, const Problem& problem) { return steps_of(problem, p.row_threads); },
      .loads_in_flight = [](const P& p) { return p.held; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::rows
