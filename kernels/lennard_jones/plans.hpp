// What the pattern and the plans of atoms have in common: buffers, lists of neighbours, steps.
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

/// positions, force (or velocity, where atoms move; or velocity and energy: kinetic, potential) and overflow; velocity
/// alone where it is scaled. Coordinates lie as all x, all y, all z.
std::vector<Buffer> buffers(const Problem& problem);

/// Moves the steps to the end of others.
void append(std::vector<Step>& to, std::vector<Step> steps);

/// Lists of neighbours nearer than cutoff and skin of the atoms of a problem, of which there is one at least. Rows are
/// as long as the problem says.
struct Lists {
  block::CellSort sort;
  rows layout = rows::by_slot;
  list_of which = list_of::all;
  double reach = 0;  ///< angstrom
  int capacity = 0;
  int cells_per_reach = 1;  ///< cells that the reach crosses

  Lists(const Problem& problem, int block_size, rows where, list_of held, double skin, int cells_across = 1);

  /// Scratch: length, list, wrapped, and that of the cells.
  std::vector<Buffer> scratch() const;
  /// Makes the lists of the atoms at `positions`; sets `overflow` where a row was too short.
  std::vector<Step> steps(const Problem& problem, const std::string& positions) const;
};

/// The field as an argument.
ValueArgument field_argument(const Problem& problem);

/// The launch of `entry`(positions, length, list, force, field, atoms, capacity).
Step force_launch(const Problem& problem, std::string entry, const std::string& positions, const std::string& force,
                  const Lists& lists);

/// A plan with the problem's buffers, and the steps that make lists of the atoms at `positions`, which are not timed:
/// they are given. No lists without atoms.
Plan plan_with_lists(const Problem& problem, const Lists& lists);

/// The plan of `function`(positions, length, list, force, field, atoms, capacity) behind `before`, with lists that are
/// given.
Plan force_plan(const PlanRequest& request, const std::string& function, const Lists& lists,
                const std::vector<Step>& before);

/// Velocity Verlet of the atoms in the buffer `positions`, by way of `next` (which may be the same), whatever
/// `launch`(from, to, kick, drift) is made of: a kick is time over mass. Before the first look at the forces, and
/// before every so many of them but the last, which comes right behind them, come the steps that `rebuild`(positions)
/// gives. rebuild_every is even. Ends with the atoms in `positions`.
std::vector<Step> verlet(const Problem& problem, const std::string& positions, const std::string& next,
                         int rebuild_every, const std::function<std::vector<Step>(const std::string& from)>& rebuild,
                         const std::function<std::vector<Step>(const std::string& from, const std::string& to,
                                                               double kick, double drift)>& launch);

/// Empty where the kernel gives what the problem asks for.
template <class P>
std::string only_forces(const P&, const Problem& problem, const Device&) {
  return asks_forces(problem) ? "" : "gives forces (op=forces) only";
}

template <class P>
std::string only_steps(const P&, const Problem& problem, const Device&) {
  return moves(problem) ? "" : "moves atoms (op=steps) only";
}

/// Neighbours that a row has at most, as argon's density makes them; steps of a thread that walks it.
double neighbors_within(double reach);

/// What looking at all neighbours takes, and making lists of them so many times.
double walking_steps(const Problem& problem, double times_made);

/// Neighbours that a turn of the loop along a row is made for: `unroll` of them, or groups of them.
template <class P>
int neighbors_in_turn(const P& p) {
  return p.unroll * (p.layout == rows::by_four ? kGroup : 1);
}

/// The axes and constraints that all kernels with an atom a thread have.
template <class P>
SpaceOf<P> atoms_space() {
  SpaceOf<P> space;
  space.axis("block_size", &P::block_size, {32, 64, 128, 256, 512})
      .axis("unroll", &P::unroll, {1, 2, 4, 8})
      .axis("layout", &P::layout,
            {{rows::by_body, "warpwright::lennard_jones::rows::by_body"},
             {rows::by_slot, "warpwright::lennard_jones::rows::by_slot"},
             {rows::by_four, "warpwright::lennard_jones::rows::by_four"}})
      .axis("min_blocks", &P::min_blocks, {1, 2, 4, 8})
      .require("an SM holds the threads of min_blocks blocks",
               [](const P& p, const Surroundings& around) {
                 return p.block_size * p.min_blocks <= around.device.max_threads_per_sm;
               })
      .require("a turn of the loop is at most sixteen neighbours",
               [](const P& p) { return neighbors_in_turn(p) <= 16; })
      .require("registers for a look at several neighbours", [](const P& p, const Surroundings& around) {
        constexpr int kBeside = 24;
        const int words = static_cast<int>(size_of(around.type())) / 4;
        return (8 * p.unroll * words + kBeside) * p.block_size * p.min_blocks <= around.device.registers_per_sm;
      });
  return space;
}

/// Those of kernels that make lists again and again.
template <class P>
SpaceOf<P> skins_space() {
  SpaceOf<P> space = atoms_space<P>();
  space.axis("skin_tenths", &P::skin_tenths, {5, 10, 20})
      .axis("rebuild_every", &P::rebuild_every, {4, 10, 20, 40})
      .require("atoms of 490 m/s do not cross half of the skin in that many steps of 5 fs",
               [](const P& p) { return p.rebuild_every <= 2 * p.skin_tenths; });
  return space;
}

/// A kernel of that name that sums forces by lists that are given.
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
      .loads_in_flight = [](const P& p) { return 3 * neighbors_in_turn(p); },
  };
}

/// The plan of a kernel that moves atoms, which lie in such memory: `looks` adds scratch of its own and gives the
/// steps. Nothing but the count of what overflows is written where nothing moves.
template <class P>
Plan moving_plan(const P& p, const Problem& problem, int cells_across, Where where,
                 const std::function<std::vector<Step>(Plan& plan, const Lists& lists)>& looks) {
  Plan plan{.buffers = buffers(problem),
            .steps = {{.what = Memset{.buffer = "overflow", .count = 1, .value = value(0)}}}};
  for (Buffer& buffer : plan.buffers)
    if (buffer.name != "overflow") buffer.where = where;
  if (problem.shape[0] == 0 || problem.integer("steps") == 0) return plan;
  const Lists lists(problem, p.block_size, p.layout, list_of::all, p.skin_tenths / 10.0, cells_across);
  for (Buffer& buffer : lists.scratch()) plan.buffers.push_back(std::move(buffer));
  append(plan.steps, looks(plan, lists));
  return plan;
}

/// A kernel of that name that moves atoms, by lists that it makes again and again.
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
      .loads_in_flight = [](const P& p) { return 3 * neighbors_in_turn(p); },
      .launch_axes = {"skin_tenths", "rebuild_every"},
  };
}

}  // namespace warpwright::lennard_jones
