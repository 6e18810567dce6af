// Atoms in Kokkos: lists of neighbours, built from atoms sorted into cells, and a parallel_for over atoms that sums
// along them. Forces take the lists as given, like the kernels; steps build them again after some steps.
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

using baselines::KokkosGather;
using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

/// The integer nearest to x, below 2^22 (2^51 for double): a sum this large has no fraction. On GPUs two additions are
/// much faster than rint.
template <class T>
KOKKOS_INLINE_FUNCTION T nearest_integer(const T x) {
  constexpr T kLarge = sizeof(T) == 4 ? T(12582912) : T(6755399441055744);
  return (x + kLarge) - kLarge;
}

/// The vector between two atoms' nearest images, along one axis.
template <class T>
KOKKOS_INLINE_FUNCTION T nearest_image(const T raw, const field<T>& in) {
  return std::fma(-in.side, nearest_integer(raw * in.inverse_side), raw);
}

/// Lists of the neighbours within the cutoff and a skin. On GPUs Kokkos' default layout lets neighbouring threads read
/// neighbouring memory.
template <class T>
struct Lists {
  baselines::KokkosCells<T, 3, true> cells;
  field<T> in = {};
  T reach_squared = 0;
  int capacity = 0;
  Kokkos::View<int*, KokkosMemory> length;
  Kokkos::View<int**, KokkosMemory> list;  ///< atom, slot
  Kokkos::View<int, KokkosMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> overflow = {};

  Lists(const Problem& problem, double skin, int cells_per_reach)
      : cells(static_cast<int>(problem.shape[0]), side_of(problem), kCutoff + skin, cells_per_reach),
        in(field_of<T>(problem)),
        reach_squared(static_cast<T>((kCutoff + skin) * (kCutoff + skin))),
        capacity(static_cast<int>(problem.integer("capacity"))) {
    const auto atoms = static_cast<std::size_t>(problem.shape[0]);
    length = decltype(length)("length", atoms);
    list = decltype(list)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "list"), atoms,
                          static_cast<std::size_t>(capacity));
  }

  KOKKOS_INLINE_FUNCTION void operator()(const int place) const {
    const int atom = cells.body_at(place);
    int found = 0;
    cells.for_each_around(place, [&](const int other) {
      if (other == place) return;
      T squared = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const T apart = nearest_image(cells.coordinate(axis, other) - cells.coordinate(axis, place), in);
        squared += apart * apart;
      }
      if (squared >= reach_squared) return;
      if (found < capacity) list(atom, found) = cells.body_at(other);
      ++found;
    });
    length(atom) = found < capacity ? found : capacity;
    if (found > capacity) Kokkos::atomic_fetch_max(overflow.data(), found);
  }

  /// Sorts the atoms and builds the lists; allocates nothing.
  void build(const KokkosSpace& space, const KokkosView<const T**>& positions) {
    cells.sort(space, positions);
    Kokkos::parallel_for("make_lists", Kokkos::RangePolicy<KokkosSpace>(space, 0, length.extent(0)), *this);
  }
};

/// One evaluation of all forces, and its result: forces, or new velocities and positions. Arrays are (axis, atom).
template <class T>
struct ForceEvaluation {
  KokkosGather<const T**> from = {};
  KokkosView<T**> to = {};        ///< for steps
  KokkosView<T**> velocity = {};  ///< for steps; otherwise the forces
  Kokkos::View<const int*, KokkosMemory> length = {};
  Kokkos::View<const int**, KokkosMemory> list = {};
  field<T> in = {};
  T kick = 0, drift = 0;
  bool moves = false;

  KOKKOS_INLINE_FUNCTION void operator()(const int atom) const {
    const T place[3] = {from(0, atom), from(1, atom), from(2, atom)};
    T sum[3] = {};
    const int neighbors = length(atom);
    for (int slot = 0; slot < neighbors; ++slot) {
      const int other = list(atom, slot);
      T apart[3];
      T squared = 0;
      for (int axis = 0; axis < 3; ++axis) {
        apart[axis] = nearest_image(from(axis, other) - place[axis], in);
        squared += apart[axis] * apart[axis];
      }
      if (squared >= in.cutoff_squared) continue;
      const T root = baselines::inverse_root(squared);
      const T inverse = root * root;
      const T square = inverse * inverse;
      const T scale = square * square * (in.turn - square * inverse);
      for (int axis = 0; axis < 3; ++axis) sum[axis] += scale * apart[axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
      const T force = in.unit * sum[axis];
      velocity(axis, atom) = moves ? std::fma(kick, force, velocity(axis, atom)) : force;
      if (moves) to(axis, atom) = std::fma(drift, velocity(axis, atom), place[axis]);
    }
  }

  ForceEvaluation(const Problem& problem, const Lists<T>& lists, const CallableBuffers& buffers)
      : velocity(static_cast<T*>(buffers.at(lennard_jones::moves(problem) ? "velocity" : "force")), 3,
                 lists.length.extent(0)),
        length(lists.length),
        list(lists.list),
        in(lists.in),
        moves(lennard_jones::moves(problem)) {}
};

/// Binds the output `overflow`, and sets it to zero.
template <class T>
void clear_overflow(const KokkosSpace& space, Lists<T>& lists, const CallableBuffers& buffers) {
  lists.overflow = decltype(lists.overflow)(static_cast<int*>(buffers.at("overflow")));
  Kokkos::deep_copy(space, lists.overflow, 0);
}

/// The launch bounds that evaluations are compiled for.
using Threads = baselines::KokkosCellThreads;
template <int MaxThreads>
using Range = baselines::KokkosRange<0, MaxThreads>;

/// Calls f.template operator()<T, MaxThreads>() for the problem's type and these launch bounds.
template <class F>
auto with_type_and_bounds(const Problem& problem, int max_threads, F f) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return baselines::with_choice(Threads(), max_threads, [&]<int MaxThreads>(std::integral_constant<int, MaxThreads>) {
      return f.template operator()<T, MaxThreads>();
    });
  });
}

struct force_knobs {
  int max_threads = 0;  ///< LaunchBounds; 0: none
};

SpaceOf<force_knobs> force_space() {
  SpaceOf<force_knobs> space;
  space.axis("max_threads", &force_knobs::max_threads, baselines::values_of(Threads()));
  return space;
}

/// The lists are built before, untimed.
std::unique_ptr<PreparedCallable> prepare_forces(const CallableRequest& request, const force_knobs& knobs) {
  const Problem problem = request.problem;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_and_bounds(problem, knobs.max_threads, [&]<class T, int MaxThreads>() {
    const auto atoms = static_cast<int>(problem.shape[0]);
    const Lists<T> lists(problem, kSkin, 1);
    const auto positions = [count = lists.length.extent(0)](const CallableBuffers& buffers) {
      return KokkosGather<const T**>(static_cast<const T*>(buffers.at("positions")), 3, count);
    };
    return make_prepared_after(
        [space, lists, positions](Stream, const CallableBuffers& buffers) {
          Lists<T> bound = lists;
          clear_overflow(space, bound, buffers);
          bound.build(space, positions(buffers));
        },
        [space, problem, atoms, lists, positions](Stream, const CallableBuffers& buffers) {
          ForceEvaluation<T> one(problem, lists, buffers);
          one.from = positions(buffers);
          Kokkos::parallel_for("lennard_jones", Range<MaxThreads>::policy(space, atoms), one);
        });
  });
}

struct step_knobs {
  int max_threads = 0;       ///< LaunchBounds; 0: none
  int cells_per_cutoff = 1;  ///< cells are as wide as the lists reach, or half of it
  int skin_tenths = 10;      ///< how far beyond the cutoff lists reach, in tenths of an angstrom
  int rebuild_every = 20;    ///< steps between two builds of the lists
};

/// The skins of the kernels that move atoms, and their constraint.
SpaceOf<step_knobs> step_space() {
  SpaceOf<step_knobs> space = baselines::kokkos_cell_space<step_knobs>();
  space.axis("skin_tenths", &step_knobs::skin_tenths, {5, 10, 20})
      .axis("rebuild_every", &step_knobs::rebuild_every, {4, 10, 20, 40})
      .require("atoms of 490 m/s do not cross half of the skin in that many steps of 5 fs",
               [](const step_knobs& k) { return k.rebuild_every <= 2 * k.skin_tenths; });
  return space;
}

/// Velocity Verlet. Steps alternate between the problem's own buffer and `next`; the last evaluation does not drift and
/// leaves the same positions in both.
std::unique_ptr<PreparedCallable> prepare_steps(const CallableRequest& request, const step_knobs& knobs) {
  const Problem problem = request.problem;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_and_bounds(problem, knobs.max_threads, [&]<class T, int MaxThreads>() {
    const Lists<T> unbound(problem, knobs.skin_tenths / 10.0, knobs.cells_per_cutoff);
    const Kokkos::View<T*, KokkosMemory> next("next", static_cast<std::size_t>(3 * problem.shape[0]));
    return make_prepared(
        [space, problem, unbound, next, rebuild_every = knobs.rebuild_every](Stream, const CallableBuffers& buffers) {
          Lists<T> lists = unbound;
          clear_overflow(space, lists, buffers);
          ForceEvaluation<T> one(problem, lists, buffers);
          const auto atoms = static_cast<int>(problem.shape[0]);
          const auto count = static_cast<std::size_t>(atoms);
          const double dt = time_step(problem);
          T* here = static_cast<T*>(buffers.at("positions"));
          T* there = next.data();
          const auto last = static_cast<std::int64_t>(evaluations(problem)) - 1;
          for (std::int64_t step = 0; step <= last; ++step) {
            one.from = KokkosGather<const T**>(here, 3, count);
            one.to = KokkosView<T**>(there, 3, count);
            if (step % rebuild_every == 0 && (step == 0 || step < last)) lists.build(space, one.from);
            one.kick = static_cast<T>((step == 0 || step == last ? dt / 2 : dt) / kMass);
            one.drift = static_cast<T>(step == last ? 0 : dt);
            Kokkos::parallel_for("lennard_jones", Range<MaxThreads>::policy(space, atoms), one);
            std::swap(here, there);
          }
        });
  });
}

bool has_atoms(const Problem& problem) {
  return problem.shape[0] > 0 && problem.shape[0] <= baselines::most_bodies_in_kokkos_cells;
}

}  // namespace

std::vector<Callable> lennard_jones_kokkos() {
  const auto depth = [](const Problem& problem, const Point&, const Device&) { return evaluations(problem); };
  return {
      baselines::kokkos_port(
          {.pattern = "lennard_jones",
           .laws = {"forces are mutual", "images do not matter"},
           .supports = [](const Problem& problem) { return has_atoms(problem) && asks_forces(problem); },
           .depth = depth},
          "lists", prepare_forces, force_space()),
      baselines::kokkos_port({.pattern = "lennard_jones",
                              .laws = {"forces are mutual", "time reversal", "energy drift"},
                              .supports = [](const Problem& problem) { return has_atoms(problem) && moves(problem); },
                              .depth = depth},
                             "verlet", prepare_steps, step_space())};
}

}  // namespace warpwright::lennard_jones
