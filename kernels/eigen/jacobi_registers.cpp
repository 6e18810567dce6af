// Parameter space and launch plan of eigen/jacobi_registers.
#include "kernels/eigen/jacobi_registers.cuh"

#include "kernels/eigen/plans.hpp"

namespace warpwright::eigen {
namespace {

using P = jacobi_registers_params;

constexpr std::int64_t kMostRows = 32;
/// Most registers for numbers, of the 255 that a thread has.
constexpr std::int64_t kMostRegisters = 160;

int lanes(const Problem& problem) {
  return lanes_of(static_cast<int>(order_of(problem)));
}

/// Registers for one row of the matrix and one of the vectors.
std::int64_t registers(const Problem& problem) {
  return 2 * lanes(problem) * parts_of(problem) * static_cast<std::int64_t>(size_of(problem.type())) / 4;
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  if (order_of(problem) > kMostRows)
    return "has a row in each lane of a warp, so that there are no more than " + std::to_string(kMostRows);
  const std::int64_t held = registers(problem);
  if (held > kMostRegisters)
    return "keeps numbers in " + std::to_string(held) + " registers a thread, more than " +
           std::to_string(kMostRegisters);
  const std::int64_t there = device.registers_per_sm / (32 * p.warps);
  if (held >= there)
    return "keeps numbers in " + std::to_string(held) + " registers a thread, of which " + std::to_string(p.warps) +
           " warps leave it " + std::to_string(there);
  return {};
}

Plan plan(const P& p, const PlanRequest& request) {
  return one_launch(request, "jacobi_registers",
                    {.matrices = p.block_size / lanes(request.problem), .threads = p.block_size}, std::nullopt,
                    {value(request.problem.shape[0])});
}

double stages_of_sweep(const Problem& problem) {
  return lanes(problem) - 1;
}

/// In each stage of a sweep every lane rotates a row of the matrix and of the vectors.
double steps(const P&, const Problem& problem) {
  const double rows = lanes(problem);
  return static_cast<double>(problem.shape[0]) * 2 * rows * rows * stages_of_sweep(problem);
}

}  // namespace

Kernel jacobi_registers_kernel() {
  return make_kernel<P>({
      .pattern = "eigen",
      .name = "jacobi_registers",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256})
                   .axis("warps", &P::warps, {8, 12, 16, 20, 24, 32})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8})
                   .axis("turns_by", &P::turns_by, {exchange::shared, exchange::shuffle})
                   .require("whole blocks have the warps of an SM",
                            [](const P& p) { return p.warps * 32 % p.block_size == 0; })
                   .require("an SM holds as many blocks as have its warps",
                            [](const P& p, const Surroundings& around) {
                              return p.warps * 32 / p.block_size <= around.device.max_blocks_per_sm;
                            }),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size / 32}; },
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return turning_depth(most_sweeps, stages_of_sweep(problem)); },
      .supports = supports,
      .steps = steps,
      .operations = [](const P&, const Problem& problem) { return operations_of_sweeps(problem); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::eigen
