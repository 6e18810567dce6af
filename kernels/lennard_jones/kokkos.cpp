// Atoms in Kokkos: each force evaluation sorts the atoms into cells; then a parallel_for over atoms visits the cells
// around each.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "kernels/lennard_jones/argon.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_cells.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::lennard_jones {
namespace {

using baselines::KokkosCellKnobs;
using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

/// One evaluation of all forces, and its result: forces, or new velocities and positions.
template <class T>
struct ForceEvaluation {
  baselines::KokkosCells<T, 3, true> cells;
  KokkosView<const T**> from = {};  ///< axis, atom
  KokkosView<T**> to = {};          ///< for steps
  KokkosView<T**> velocity = {};    ///< for steps; otherwise the forces
  field<T> in = {};
  T kick = 0, drift = 0;
  bool moves = false;

  KOKKOS_INLINE_FUNCTION void operator()(const int place) const {
    const int atom = cells.body_at(place);
    T sum[3] = {};
    cells.for_each_around(place, [&](const int other) {
      if (other == place) return;
      T apart[3];
      T squared = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const T raw = cells.coordinate(axis, other) - cells.coordinate(axis, place);
        apart[axis] = std::fma(-in.side, std::rint(raw * in.inverse_side), raw);
        squared += apart[axis] * apart[axis];
      }
      if (squared >= in.cutoff_squared) return;
      const T inverse = T(1) / squared;
      const T square = inverse * inverse;
      const T scale = square * square * (in.turn - square * inverse);
      for (int axis = 0; axis < 3; ++axis) sum[axis] += scale * apart[axis];
    });
    for (int axis = 0; axis < 3; ++axis) {
      const T force = in.unit * sum[axis];
      velocity(axis, atom) = moves ? std::fma(kick, force, velocity(axis, atom)) : force;
      if (moves) to(axis, atom) = std::fma(drift, velocity(axis, atom), from(axis, atom));
    }
  }
};

/// Calls evaluate(one) for each force evaluation of the problem, in order. Steps alternate between the problem's own
/// buffer and `next`; the last one does not drift and leaves the same positions in both.
template <class T, class EachEvaluation>
void for_each_evaluation(const Problem& problem, const CallableBuffers& buffers,
                         const baselines::KokkosCells<T, 3, true>& cells, T* next, EachEvaluation evaluate) {
  const auto count = static_cast<std::size_t>(problem.shape[0]);
  constexpr std::size_t kAxes = 3;
  const std::int64_t steps = problem.integer("steps");
  const double dt = time_step(problem);
  T* here = static_cast<T*>(buffers.at("positions"));
  T* there = next;
  ForceEvaluation<T> one{.cells = cells, .in = field_of<T>(problem), .moves = moves(problem)};
  one.velocity = KokkosView<T**>(static_cast<T*>(buffers.at(one.moves ? "velocity" : "force")), kAxes, count);
  const auto last = static_cast<std::int64_t>(evaluations(problem)) - 1;
  for (std::int64_t step = 0; step <= last; ++step) {
    one.from = KokkosView<const T**>(here, kAxes, count);
    if (one.moves) one.to = KokkosView<T**>(there, kAxes, count);
    one.kick = static_cast<T>((step == 0 || step == steps ? dt / 2 : dt) / kMass);
    one.drift = static_cast<T>(step == steps ? 0 : dt);
    evaluate(one);
    std::swap(here, there);
  }
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request, const KokkosCellKnobs& knobs) {
  const Problem problem = request.problem;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return baselines::with_choice(
        baselines::KokkosCellThreads(), knobs.max_threads, [&]<int Threads>(std::integral_constant<int, Threads>) {
          const auto atoms = static_cast<int>(problem.shape[0]);
          const baselines::KokkosCells<T, 3, true> cells(atoms, side_of(problem), kCutoff, knobs.cells_per_cutoff);
          const auto policy = baselines::kokkos_cell_policy<Threads>(space, atoms, knobs);
          const Kokkos::View<T*, KokkosMemory> next(
              "next", moves(problem) ? static_cast<std::size_t>(3 * problem.shape[0]) : 0);
          return make_prepared([problem, space, policy, cells, next](Stream, const CallableBuffers& buffers) {
            const Kokkos::View<int, KokkosMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> overflow(
                static_cast<int*>(buffers.at("overflow")));
            Kokkos::deep_copy(space, overflow, 0);
            for_each_evaluation<T>(problem, buffers, cells, next.data(), [&](ForceEvaluation<T>& one) {
              one.cells.sort(space, one.from);
              Kokkos::parallel_for("lennard_jones", policy, one);
            });
          });
        });
  });
}

}  // namespace

std::vector<Callable> lennard_jones_kokkos() {
  return {baselines::kokkos_port(
      {.pattern = "lennard_jones",
       .laws = {"forces are mutual", "images do not matter", "time reversal", "energy drift"},
       // It has no lists, so no row can overflow.
       .supports =
           [](const Problem& problem) {
             return problem.shape[0] > 0 && problem.shape[0] <= baselines::most_bodies_in_kokkos_cells &&
                    (asks_forces(problem) || moves(problem)) &&
                    problem.integer("capacity") >= std::min<std::int64_t>(problem.shape[0] - 1, 256);
           },
       .depth = [](const Problem& problem, const Point&, const Device&) { return evaluations(problem); }},
      "cells", prepare, baselines::kokkos_cell_space())};
}

}  // namespace warpwright::lennard_jones
