// Shared by the pattern and the plans of lennard_jones: buffers, neighbour lists, time steps.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/block/cells.hpp"
#include "kernels/block/real.hpp"
#include "kernels/lennard_jones/argon.hpp"
#include "kernels/lennard_jones/lists.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::lennard_jones {

/// The buffers of a problem: positions, force (or velocity, if atoms move; or velocity and energy: kinetic, potential)
/// and overflow. For scaling, velocity only. Coordinates are stored as all x, all y, all z.
std::vector<Buffer> buffers(const Problem& problem);

/// Appends the steps to `to`.
void append(std::vector<Step>& to, std::vector<Step> steps);

/// Lists of the neighbours within cutoff and skin, for a problem with at least one atom. The problem determines the
/// length of rows.
struct Lists {
  block::CellSort sort;
  rows layout = rows::by_slot;
  list_of which = list_of::all;
  double reach = 0;  ///< angstrom
  int capacity = 0;
  int cells_per_reach = 1;  ///< number of cells that the reach spans

  Lists(const Problem& problem, int block_size, rows where, list_of held, double skin, int cells_across = 1);

  /// The scratch buffers: length, list, wrapped, and those of the cells.
  std::vector<Buffer> scratch() const;
  /// The steps that build the lists for the atoms at `positions`; they set `overflow` if a row is too short.
  std::vector<Step> steps(const Problem& problem, const std::string& positions) const;
};

/// The field as an argument.
ValueArgument field_argument(const Problem& problem);

/// The launch of `entry`(positions, length, list, force, field, atoms, capacity).
Step force_launch(const Problem& problem, std::string entry, const std::string& positions, const std::string& force,
                  const Lists& lists);

/// A plan with the problem's buffers and untimed steps that build the lists, because lists are an input of such
/// problems. No lists if there are no atoms.
Plan plan_with_lists(const Problem& problem, const Lists& lists);

/// The plan that runs `before`, then `function`(positions, length, list, force, field, atoms, capacity), with lists
/// that are an input.
Plan force_plan(const PlanRequest& request, const std::string& function, const Lists& lists,
                const std::vector<Step>& before);

/// The steps of velocity Verlet for the atoms in the buffer `positions`; `next` is a second buffer, or the same.
/// `launch`(from, to, kick, drift) gives the steps of one force evaluation; `kick` is time divided by mass.
/// `rebuild`(positions) gives the steps that build the lists. They run before the first evaluation and after every
/// `rebuild_every` steps, which must be even, but not before the last evaluation. The result ends in `positions`.
std::vector<Step> verlet(const Problem& problem, const std::string& positions, const std::string& next,
                         int rebuild_every, const std::function<std::vector<Step>(const std::string& from)>& rebuild,
                         const std::function<std::vector<Step>(const std::string& from, const std::string& to,
                                                               double kick, double drift)>& launch);

/// Empty if the kernel computes what the problem asks for, else a reason.
template <class P>
std::string only_forces(const P&, const Problem& problem, const Device&) {
  return asks_forces(problem) ? "" : "gives forces (op=forces) only";
}

template <class P>
std::string only_steps(const P&, const Problem& problem, const Device&) {
  return moves(problem) ? "" : "moves atoms (op=steps) only";
}

/// The most neighbours within the reach, by argon's density; also the steps of a thread that walks its row.
double neighbors_within(double reach);

/// The work of visiting all neighbours, and of building the lists this many times.
double walking_steps(const Problem& problem, double times_made);

/// Number of neighbours per iteration of the loop along a row: `unroll`, times the group size in grouped layouts.
template <class P>
int neighbors_per_iteration(const P& p) {
  return p.unroll * (p.layout == rows::by_four ? kGroup : 1);
}

/// The axes and constraints of all kernels with one thread per atom.
template <class P>
SpaceOf<P> atoms_space() {
  SpaceOf<P> space;
  space.axis("block_size", &P::block_size, {32, 64, 128, 256, 512})
      .axis("unroll", &P::unroll, {1, 2, 4, 8})
      .axis("layout", &P::layout, {rows::by_body, rows::by_slot, rows::by_four})
      .axis("min_blocks", &P::min_blocks, {1, 2, 4, 8})
      .require("an SM holds the threads of min_blocks blocks",
               [](const P& p, const Surroundings& around) {
                 return p.block_size * p.min_blocks <= around.device.max_threads_per_sm;
               })
      .require("an iteration of the loop has at most sixteen neighbours",
               [](const P& p) { return neighbors_per_iteration(p) <= 16; })
      .require("registers for several neighbours at once", [](const P& p, const Surroundings& around) {
        constexpr int kBeside = 24;
        const int words = static_cast<int>(size_of(around.type())) / 4;
        return (8 * p.unroll * words + kBeside) * p.block_size * p.min_blocks <= around.device.registers_per_sm;
      });
  return space;
}

/// The axes of kernels that rebuild lists.
template <class P>
SpaceOf<P> skins_space() {
  SpaceOf<P> space = atoms_space<P>();
  space.axis("skin_tenths", &P::skin_tenths, {5, 10, 20})
      .axis("rebuild_every", &P::rebuild_every, {4, 10, 20, 40})
      .require("atoms of 490 m/s do not cross half of the skin in that many steps of 5 fs",
               [](const P& p) { return p.rebuild_every <= 2 * p.skin_tenths; });
  return space;
}

/// The kernel `name`, which computes forces with given lists.
template <class P>
KernelOf<P> force_kernel(std::string name, Plan (*plan)(const P&, const PlanRequest&)) {
  return {
      .pattern = "lennard_jones",
      .name = std::move(name),
      .space = atoms_space<P>(),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; },
      .depth = [](const P&, const Problem&, const Device&) { return neighbors_within(kCutoff + kSkin); },
      .supports = only_forces<P>,
      .steps = [](const P&, const Problem& problem) { return walking_steps(problem, 1); },
      .loads_in_flight = [](const P& p) { return 3 * neighbors_per_iteration(p); },
  };
}

/// The plan of a kernel that moves atoms stored in the given layout. `evaluations` adds its scratch buffers and gives
/// the steps. If there are no steps, only the overflow count is written.
template <class P>
Plan moving_plan(const P& p, const Problem& problem, int cells_across, Where where,
                 const std::function<std::vector<Step>(Plan& plan, const Lists& lists)>& evaluations) {
  Plan plan{.buffers = buffers(problem),
            .steps = {{.what = Memset{.buffer = "overflow", .count = 1, .value = value(0)}}}};
  for (Buffer& buffer : plan.buffers)
    if (buffer.name != "overflow") buffer.where = where;
  if (problem.shape[0] == 0 || problem.integer("steps") == 0) return plan;
  const Lists lists(problem, p.block_size, p.layout, list_of::all, p.skin_tenths / 10.0, cells_across);
  for (Buffer& buffer : lists.scratch()) plan.buffers.push_back(std::move(buffer));
  append(plan.steps, evaluations(plan, lists));
  return plan;
}

/// The kernel `name`, which moves atoms and rebuilds its lists.
template <class P>
KernelOf<P> moving_kernel(std::string name, Plan (*plan)(const P&, const PlanRequest&)) {
  return {
      .pattern = "lennard_jones",
      .name = std::move(name),
      .space = skins_space<P>(),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; },
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return neighbors_within(kCutoff + kSkin) * evaluations(problem); },
      .supports = only_steps<P>,
      .steps =
          [](const P& p, const Problem& problem) {
            return walking_steps(problem, evaluations(problem) / p.rebuild_every + 1);
          },
      .loads_in_flight = [](const P& p) { return 3 * neighbors_per_iteration(p); },
      .launch_axes = {"skin_tenths", "rebuild_every"},
  };
}

}  // namespace warpwright::lennard_jones
