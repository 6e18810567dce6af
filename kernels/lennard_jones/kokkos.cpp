// Atoms in Kokkos: a parallel_for over atoms, each of which looks at all others.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "kernels/lennard_jones/argon.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::lennard_jones {
namespace {

using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

/// One look at all forces, and what becomes of them: forces, or new velocities and places.
template <class T>
struct Look {
  KokkosView<const T**> from;  ///< axis, atom
  KokkosView<T**> to;          ///< of steps
  KokkosView<T**> velocity;    ///< of steps; else the forces
  field<T> in = {};
  T kick = 0, drift = 0;
  std::int64_t atoms = 0;
  bool moves = false;

  template <class Index>
  KOKKOS_INLINE_FUNCTION void operator()(const Index atom) const {
    T sum[3] = {};
    for (std::int64_t other = 0; other < atoms; ++other) {
      if (other == static_cast<std::int64_t>(atom)) continue;
      T apart[3];
      T squared = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const T raw = from(axis, other) - from(axis, atom);
        apart[axis] = std::fma(-in.side, std::rint(raw * in.inverse_side), raw);
        squared += apart[axis] * apart[axis];
      }
      if (squared >= in.cutoff_squared) continue;
      const T inverse = T(1) / squared;
      const T ratio = in.sigma_squared * inverse;
      const T sixth = ratio * ratio * ratio;
      const T scale = in.epsilon24 * inverse * sixth * (T(1) - T(2) * sixth);
      for (int axis = 0; axis < 3; ++axis) sum[axis] += scale * apart[axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
      velocity(axis, atom) = moves ? std::fma(kick, sum[axis], velocity(axis, atom)) : sum[axis];
      if (moves) to(axis, atom) = std::fma(drift, velocity(axis, atom), from(axis, atom));
    }
  }
};

using Ranges = baselines::KokkosRanges<baselines::Choices<0, 64, 128, 256>, baselines::Choices<1>>;

/// Calls look(one) for each look that the problem asks for, in order. Steps go from the problem's own buffer to `next`
/// and back; the last one, which does not drift, leaves the same places in both.
template <class T, class EachLook>
void for_each_look(const Problem& problem, const CallableBuffers& buffers, T* next, EachLook look) {
  const auto count = static_cast<std::size_t>(problem.shape[0]);
  constexpr std::size_t kAxes = 3;
  const std::int64_t steps = problem.integer("steps");
  const double dt = time_step(problem);
  T* here = static_cast<T*>(buffers.at("positions"));
  T* there = next;
  Look<T> one;
  one.in = field_of<T>(problem);
  one.atoms = problem.shape[0];
  one.moves = moves(problem);
  one.velocity = KokkosView<T**>(static_cast<T*>(buffers.at(one.moves ? "velocity" : "force")), kAxes, count);
  const auto last = static_cast<std::int64_t>(evaluations(problem)) - 1;
  for (std::int64_t step = 0; step <= last; ++step) {
    one.from = KokkosView<const T**>(here, kAxes, count);
    if (one.moves) one.to = KokkosView<T**>(there, kAxes, count);
    one.kick = static_cast<T>((step == 0 || step == steps ? dt / 2 : dt) / kMass);
    one.drift = static_cast<T>(step == steps ? 0 : dt);
    look(one);
    std::swap(here, there);
  }
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  const Problem problem = request.problem;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return Ranges::with(request.knobs, [&]<class Range>(Range) {
      const auto count = Range::count(problem.shape[0]);
      const Kokkos::View<T*, KokkosMemory> next("next",
                                                moves(problem) ? static_cast<std::size_t>(3 * problem.shape[0]) : 0);
      return make_prepared([problem, space, count, next](Stream, const CallableBuffers& buffers) {
        const Kokkos::View<int, KokkosMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> overflow(
            static_cast<int*>(buffers.at("overflow")));
        Kokkos::deep_copy(space, overflow, 0);
        for_each_look<T>(problem, buffers, next.data(), [&](const Look<T>& one) {
          Kokkos::parallel_for("lennard_jones", Range::policy(space, count), one);
        });
      });
    });
  });
}

}  // namespace

std::vector<Callable> lennard_jones_kokkos() {
  return {{.pattern = "lennard_jones",
           .implementation = "kokkos",
           .idiom = "all_pairs",
           .version = baselines::kokkos_version(),
           .knobs = Ranges::space().space(),
           .default_knobs = Ranges::space().point({}),
           .laws = {"forces are mutual", "images do not matter", "time reversal", "energy drift"},
           // It keeps no lists, whose rows might overflow.
           .supports =
               [](const Problem& problem) {
                 return problem.shape[0] > 0 && (asks_forces(problem) || moves(problem)) &&
                        problem.integer("capacity") >= std::min<std::int64_t>(problem.shape[0] - 1, 256);
               },
           .depth = [](const Problem& problem, const Point&, const Device&) { return evaluations(problem); },
           .prepare = prepare}};
}

}  // namespace warpwright::lennard_jones
