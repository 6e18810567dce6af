// Parameter space and launch plan of eigen/jacobi_thread.
#include "kernels/eigen/jacobi_thread.cuh"

#include "kernels/eigen/plans.hpp"
#include "kernels/model/refusals.hpp"

namespace warpwright::eigen {
namespace {

using P = jacobi_thread_params;

/// Most bytes of a thread's local array, and most rows whose sweep is unrolled; beyond that compiling takes too long.
constexpr std::int64_t kMostLocal = 4096;
constexpr std::int64_t kMostUnrolled = 6;

std::int64_t numbers(const Problem& problem) {
  return column_numbers(static_cast<int>(order_of(problem)), static_cast<int>(parts_of(problem)));
}

std::int64_t shared_bytes(const P& p, const Problem& problem) {
  if (p.kept_in == keep::local) return 0;
  const std::int64_t of_column = numbers(problem) * static_cast<std::int64_t>(size_of(problem.type()));
  return (of_column + order_of(problem) * 4) * (p.block_size + p.bank_pad);
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  const std::int64_t bytes = numbers(problem) * static_cast<std::int64_t>(size_of(problem.type()));
  if (p.kept_in == keep::local && bytes > kMostLocal)
    return "keeps " + std::to_string(bytes) + " bytes a thread, more than " + std::to_string(kMostLocal);
  if (p.unroll == 0 && order_of(problem) > kMostUnrolled)
    return "unrolls all of a sweep (unroll = 0) for up to " + std::to_string(kMostUnrolled) + " rows only";
  return too_much_shared(shared_bytes(p, problem), device);
}

Plan plan(const P& p, const PlanRequest& request) {
  return one_launch(
      request, "jacobi_thread",
      {.matrices = p.block_size, .threads = p.block_size, .shared_bytes = shared_bytes(p, request.problem)},
      std::nullopt, {value(request.problem.shape[0])});
}

}  // namespace

Kernel jacobi_thread_kernel() {
  return make_kernel<P>({
      .pattern = "eigen",
      .name = "jacobi_thread",
      .default_params = {},
      .space = with_order(SpaceOf<P>{}
                              .axis("block_size", &P::block_size, {32, 64, 128, 256})
                              .axis("kept_in", &P::kept_in, {keep::local, keep::shared})
                              .axis("bank_pad", &P::bank_pad, {0, 1})
                              .axis("unroll", &P::unroll, {1, 2, 4, 0})
                              .axis("min_blocks", &P::min_blocks, {1, 2, 4})
                              .require("a pad of shared memory only",
                                       [](const P& p) { return p.bank_pad == 0 || p.kept_in == keep::shared; })),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; },
      .depth = [](const P& p, const Problem& problem, const Device&) { return depth_of(p.order, problem); },
      .supports = supports,
      .operations = [](const P&, const Problem& problem) { return operations_of_sweeps(problem); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::eigen
