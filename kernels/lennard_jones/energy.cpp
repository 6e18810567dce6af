// Parameter space and launch plan of lennard_jones/energy.
#include "kernels/lennard_jones/energy.cuh"

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {
namespace {

using P = energy_params;

std::int64_t blocks_of(const P& p, const Problem& problem) {
  return divide_up(problem.shape[0], p.block_size);
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  const std::string type(name_of(problem.type()));
  const std::int64_t atoms = problem.shape[0];
  const Lists lists(problem, p.block_size, p.layout, list_of::after, kSkin);
  Plan plan = plan_with_lists(problem, lists);
  const std::int64_t blocks = blocks_of(p, problem);
  const bool is_atomic = p.finish == energy_finish::atomic;
  if (is_atomic || atoms == 0)
    plan.steps.push_back({.what = Memset{.buffer = "energy", .count = 2, .value = real(problem, 0)}});
  if (atoms == 0) return plan;
  if (!is_atomic)
    plan.buffers.push_back({.name = "parts", .role = Role::scratch, .type = problem.type(), .count = 2 * blocks});
  plan.steps.push_back(
      {.what = Launch{
           .entry = request.entry("energy", {type}),
           .grid = {.x = static_cast<std::uint32_t>(blocks)},
           .block = {.x = static_cast<std::uint32_t>(p.block_size)},
           .arguments = {pointer_to("positions"), pointer_to("velocity"), pointer_to("length"), pointer_to("list"),
                         pointer_to(is_atomic ? "energy" : "parts"), field_argument(problem),
                         real(problem, 4 * kEpsilon), real(problem, kMass / 2), value(atoms), value(lists.capacity)}}});
  if (!is_atomic)
    plan.steps.push_back(
        {.what = Launch{.entry = request.entry("energy_of_blocks", {type}),
                        .grid = {},
                        .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                        .arguments = {pointer_to("parts"), pointer_to("energy"), value(static_cast<int>(blocks))}}});
  return plan;
}

}  // namespace

Kernel energy_kernel() {
  KernelOf<P> kernel = force_kernel<P>("energy", plan);
  kernel.space.axis("finish", &P::finish, {energy_finish::atomic, energy_finish::second_kernel});
  kernel.depth = [](const P& p, const Problem& problem, const Device&) {
    constexpr double kOfBlock = 10;
    const auto blocks = static_cast<double>(blocks_of(p, problem));
    return neighbors_within(kCutoff + kSkin) + kOfBlock +
           (p.finish == energy_finish::atomic ? blocks : std::ceil(blocks / p.block_size) + kOfBlock);
  };
  // More blocks than threads in the block that adds up their sums.
  kernel.edges = [](const P& p, const Problem&) {
    return p.finish == energy_finish::atomic
               ? std::vector<std::vector<std::int64_t>>()
               : std::vector<std::vector<std::int64_t>>{{std::int64_t{p.block_size} * p.block_size + 1}};
  };
  kernel.supports = [](const P&, const Problem& problem, const Device&) {
    return std::string(asks_energy(problem) ? "" : "gives the energy (op=energy) only");
  };
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::lennard_jones
