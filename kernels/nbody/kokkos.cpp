// All pairs of bodies in Kokkos: a parallel_for over bodies, and teams that keep tiles of them in scratch memory.
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/model/callable.hpp"
#include "kernels/nbody/problems.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::nbody {
namespace {

using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

/// The arrays of one force evaluation, and its result: accelerations, or new velocities and positions.
template <class T>
struct ForceEvaluation {
  KokkosView<const T**> from;
  KokkosView<T**> to;        ///< for steps
  KokkosView<T**> velocity;  ///< for steps; otherwise the accelerations
  T softening_squared = 0, kick = 0, drift = 0;
  bool moves = false;

  KOKKOS_INLINE_FUNCTION void put(const std::int64_t own, const T (&pull)[3]) const {
    for (int axis = 0; axis < 3; ++axis) {
      velocity(own, axis) = moves ? std::fma(kick, pull[axis], velocity(own, axis)) : pull[axis];
      if (moves) to(own, axis) = std::fma(drift, velocity(own, axis), from(own, axis));
    }
    if (moves) to(own, 3) = from(own, 3);
  }

  /// Adds the force of body `by` of an array on a body at `place`.
  template <class Bodies>
  KOKKOS_INLINE_FUNCTION void attract(T (&pull)[3], const T (&place)[3], const Bodies& bodies,
                                      const std::int64_t by) const {
    const T x = bodies(by, 0) - place[0];
    const T y = bodies(by, 1) - place[1];
    const T z = bodies(by, 2) - place[2];
    const T inverse = T(1) / std::sqrt(x * x + y * y + z * z + softening_squared);
    const T scale = bodies(by, 3) * inverse * inverse * inverse;
    pull[0] += scale * x;
    pull[1] += scale * y;
    pull[2] += scale * z;
  }
};

/// Calls evaluate(one) for each force evaluation of the problem, in order. Steps alternate between the problem's own
/// buffer and `next`; the last one does not drift and leaves the same positions in both.
template <class T, class EachEvaluation>
void for_each_evaluation(const Problem& problem, const CallableBuffers& buffers, T* next, EachEvaluation evaluate) {
  const auto count = static_cast<std::size_t>(problem.shape[0]);
  const double dt = problem.number("dt");
  const std::int64_t steps = problem.integer("steps");
  T* here = static_cast<T*>(buffers.at("bodies"));
  T* there = next;
  ForceEvaluation<T> one;
  one.softening_squared = static_cast<T>(softening_squared(problem));
  one.moves = moves(problem);
  one.velocity =
      KokkosView<T**>(static_cast<T*>(buffers.at(one.moves ? "velocity" : "acceleration")), count, std::size_t{3});
  const auto last = static_cast<std::int64_t>(evaluations(problem)) - 1;
  for (std::int64_t step = 0; step <= last; ++step) {
    one.from = KokkosView<const T**>(here, count, std::size_t{4});
    if (one.moves) one.to = KokkosView<T**>(there, count, std::size_t{4});
    one.kick = static_cast<T>(step == 0 || step == steps ? dt / 2 : dt);
    one.drift = static_cast<T>(step == steps ? 0 : dt);
    evaluate(one);
    std::swap(here, there);
  }
}

/// Room for the bodies between two steps.
template <class T>
Kokkos::View<T*, KokkosMemory> room_for(const Problem& problem) {
  return Kokkos::View<T*, KokkosMemory>("next", moves(problem) ? static_cast<std::size_t>(4 * problem.shape[0]) : 0);
}

using Ranges = baselines::KokkosRanges<baselines::Choices<0, 64, 128, 256>, baselines::Choices<1>>;

template <class T>
struct BodyOfRange {
  ForceEvaluation<T> of;
  std::int64_t count;

  template <class Index>
  KOKKOS_INLINE_FUNCTION void operator()(const Index own) const {
    const T place[3] = {of.from(own, 0), of.from(own, 1), of.from(own, 2)};
    T pull[3] = {};
    for (std::int64_t other = 0; other < count; ++other) of.attract(pull, place, of.from, other);
    of.put(own, pull);
  }
};

std::unique_ptr<PreparedCallable> prepare_range(const CallableRequest& request) {
  const Problem problem = request.problem;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return Ranges::with(request.knobs, [&]<class Range>(Range) {
      const auto count = Range::count(problem.shape[0]);
      const auto next = room_for<T>(problem);
      return make_prepared([problem, space, count, next](Stream, const CallableBuffers& buffers) {
        for_each_evaluation<T>(problem, buffers, next.data(), [&](const ForceEvaluation<T>& one) {
          Kokkos::parallel_for("nbody", Range::policy(space, count), BodyOfRange<T>{one, problem.shape[0]});
        });
      });
    });
  });
}

struct team_knobs {
  int bodies = 128;   ///< per team, and per tile
  int team_size = 0;  ///< 0: Kokkos::AUTO
};

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("bodies", &team_knobs::bodies, {64, 128, 256, 512})
      .axis("team_size", &team_knobs::team_size, {0, 64, 128, 256, 512})
      .require("a team has no more threads than bodies", [](const team_knobs& k) { return k.team_size <= k.bodies; });
  return space;
}

/// A team has as many bodies as a tile in scratch memory; if it has fewer threads, each takes several bodies.
template <class T>
struct BodyOfTeam {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Scratch = Kokkos::View<T* [4], Kokkos::LayoutRight, typename KokkosSpace::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  ForceEvaluation<T> of;
  std::int64_t count;
  int bodies;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Scratch tile(member.team_scratch(0), bodies);
    for (int turn = 0; turn < bodies; turn += member.team_size()) {
      const int rank = turn + member.team_rank();
      const std::int64_t own = static_cast<std::int64_t>(member.league_rank()) * bodies + rank;
      const bool is_there = rank < bodies && own < count;
      T place[3] = {};
      T pull[3] = {};
      for (int axis = 0; axis < 3 && is_there; ++axis) place[axis] = of.from(own, axis);
      for (std::int64_t first = 0; first < count; first += bodies) {
        const int held = static_cast<int>(first + bodies < count ? bodies : count - first);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, held), [&](const int at) {
          for (int part = 0; part < 4; ++part) tile(at, part) = of.from(first + at, part);
        });
        member.team_barrier();
        for (int at = 0; at < held; ++at) of.attract(pull, place, tile, at);
        member.team_barrier();
      }
      if (is_there) of.put(own, pull);
    }
  }
};

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  const Problem problem = request.problem;
  const std::int64_t teams = (problem.shape[0] + knobs.bodies - 1) / knobs.bodies;
  if (teams > std::numeric_limits<int>::max()) throw CallableRefusal(std::to_string(teams) + " teams");
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    const BodyOfTeam<T> unbound{ForceEvaluation<T>(), problem.shape[0], knobs.bodies};
    const auto scratch = static_cast<int>(BodyOfTeam<T>::Scratch::shmem_size(static_cast<std::size_t>(knobs.bodies)));
    const auto policy = baselines::team_policy(space, static_cast<int>(teams), knobs.team_size, 1, scratch, unbound,
                                               Kokkos::ParallelForTag());
    const auto next = room_for<T>(problem);
    return make_prepared([problem, policy, unbound, next](Stream, const CallableBuffers& buffers) {
      for_each_evaluation<T>(problem, buffers, next.data(), [&](const ForceEvaluation<T>& one) {
        BodyOfTeam<T> body = unbound;
        body.of = one;
        Kokkos::parallel_for("nbody", policy, body);
      });
    });
  });
}

/// A square root and a division have fewer roundings than the kernels' reciprocal square root.
double depth(const Problem& problem, const Point&, const Device&) {
  return chain_depth(static_cast<double>(problem.shape[0])) * (moves(problem) ? evaluations(problem) : 1);
}

}  // namespace

std::vector<Callable> nbody_kokkos() {
  const Callable port{.pattern = "nbody",
                      .laws = {"momentum is kept", "one body alone is not pulled", "time reversal", "energy drift"},
                      .supports = [](const Problem& problem) { return problem.shape[0] > 0; },
                      .depth = depth};
  return {baselines::kokkos_port(port, "range", prepare_range, Ranges::space()),
          baselines::kokkos_port(port, "team_scratch", prepare_team, team_space())};
}

}  // namespace warpwright::nbody
