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

using baselines::Choices;
using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

/// Loaded as a whole, by instructions of 16 bytes.
template <class T>
struct alignas(16) Body {
  T place[3];
  T mass;
};

/// The arrays of one force evaluation, and its result: accelerations, or new velocities and positions.
template <class T>
struct ForceEvaluation {
  baselines::KokkosGather<const Body<T>*> from;
  KokkosView<Body<T>*> to;   ///< for steps
  KokkosView<T**> velocity;  ///< for steps; otherwise the accelerations
  T softening_squared = 0, kick = 0, drift = 0;
  bool moves = false;

  template <class Index>
  KOKKOS_INLINE_FUNCTION void put(const Index own, const Body<T>& body, const T (&pull)[3]) const {
    Body<T> moved = body;
    for (int axis = 0; axis < 3; ++axis) {
      velocity(own, axis) = moves ? std::fma(kick, pull[axis], velocity(own, axis)) : pull[axis];
      if (moves) moved.place[axis] = std::fma(drift, velocity(own, axis), body.place[axis]);
    }
    if (moves) to(own) = moved;
  }

  /// Adds the force of another body.
  KOKKOS_INLINE_FUNCTION void attract(T (&pull)[3], const Body<T>& body, const Body<T>& by) const {
    const T x = by.place[0] - body.place[0];
    const T y = by.place[1] - body.place[1];
    const T z = by.place[2] - body.place[2];
    const T inverse = baselines::inverse_root(x * x + y * y + z * z + softening_squared);
    const T scale = by.mass * inverse * (inverse * inverse);
    pull[0] += scale * x;
    pull[1] += scale * y;
    pull[2] += scale * z;
  }
};

/// Calls evaluate(one) for each force evaluation of the problem, in order. Steps alternate between the problem's own
/// buffer and `next`; the last one does not drift and leaves the same positions in both.
template <class T, class EachEvaluation>
void for_each_evaluation(const Problem& problem, const CallableBuffers& buffers, Body<T>* next,
                         EachEvaluation evaluate) {
  const auto count = static_cast<std::size_t>(problem.shape[0]);
  const double dt = problem.number("dt");
  const std::int64_t steps = problem.integer("steps");
  auto* here = static_cast<Body<T>*>(buffers.at("bodies"));
  Body<T>* there = next;
  ForceEvaluation<T> one;
  one.softening_squared = static_cast<T>(softening_squared(problem));
  one.moves = moves(problem);
  one.velocity =
      KokkosView<T**>(static_cast<T*>(buffers.at(one.moves ? "velocity" : "acceleration")), count, std::size_t{3});
  const auto last = static_cast<std::int64_t>(evaluations(problem)) - 1;
  for (std::int64_t step = 0; step <= last; ++step) {
    one.from = baselines::KokkosGather<const Body<T>*>(here, count);
    if (one.moves) one.to = KokkosView<Body<T>*>(there, count);
    one.kick = static_cast<T>(step == 0 || step == steps ? dt / 2 : dt);
    one.drift = static_cast<T>(step == steps ? 0 : dt);
    evaluate(one);
    std::swap(here, there);
  }
}

/// Room for the bodies between two steps.
template <class T>
Kokkos::View<Body<T>*, KokkosMemory> room_for(const Problem& problem) {
  return Kokkos::View<Body<T>*, KokkosMemory>("next", moves(problem) ? static_cast<std::size_t>(problem.shape[0]) : 0);
}

using Ranges = baselines::KokkosRanges<Choices<0, 64>>;

template <class T, class Index>
struct BodyOfRange {
  ForceEvaluation<T> of;
  Index count;

  KOKKOS_INLINE_FUNCTION void operator()(const Index own) const {
    const Body<T> body = of.from(own);
    T pull[3] = {};
    for (Index other = 0; other < count; ++other) of.attract(pull, body, of.from(other));
    of.put(own, body, pull);
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
          Kokkos::parallel_for("nbody", Range::policy(space, count), BodyOfRange<T, typename Range::Index>{one, count});
        });
      });
    });
  });
}

struct team_knobs {
  int bodies = 128;   ///< per team, and per tile
  int team_size = 0;  ///< 0: Kokkos::AUTO
  int own = 1;        ///< bodies that a thread holds in registers
};

/// Bodies per thread that the port is compiled for.
using Owned = Choices<1, 2, 4>;

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("bodies", &team_knobs::bodies, {64, 128, 256, 512})
      .axis("team_size", &team_knobs::team_size, {0, 64, 128, 256, 512})
      .axis("own", &team_knobs::own, baselines::values_of(Owned()))
      .require("a team holds no more bodies than it has",
               [](const team_knobs& k) { return k.team_size * k.own <= k.bodies; });
  return space;
}

/// A team has as many bodies as a tile in scratch memory; if its threads hold fewer, it takes several turns.
template <class T, int Own>
struct BodyOfTeam {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Scratch =
      Kokkos::View<Body<T>*, typename KokkosSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  ForceEvaluation<T> of;
  std::int64_t count;
  int bodies;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Scratch tile(member.team_scratch(0), bodies);
    const std::int64_t mine = static_cast<std::int64_t>(member.league_rank()) * bodies;
    for (int turn = 0; turn < bodies; turn += Own * member.team_size()) {
      Body<T> body[Own] = {};
      T pull[Own][3] = {};
      const auto for_own = [&](const auto& use) {
        for (int k = 0; k < Own; ++k) {
          const int rank = turn + k * member.team_size() + member.team_rank();
          if (rank < bodies && mine + rank < count) use(k, mine + rank);
        }
      };
      for_own([&](const int k, const std::int64_t own) { body[k] = of.from(own); });
      for (std::int64_t first = 0; first < count; first += bodies) {
        const int held = static_cast<int>(first + bodies < count ? bodies : count - first);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, held),
                             [&](const int at) { tile(at) = of.from(first + at); });
        member.team_barrier();
        for (int at = 0; at < held; ++at) {
          const Body<T> by = tile(at);
          for (int k = 0; k < Own; ++k) of.attract(pull[k], body[k], by);
        }
        member.team_barrier();
      }
      for_own([&](const int k, const std::int64_t own) { of.put(own, body[k], pull[k]); });
    }
  }
};

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  const Problem problem = request.problem;
  const std::int64_t teams = (problem.shape[0] + knobs.bodies - 1) / knobs.bodies;
  if (teams > std::numeric_limits<int>::max()) throw CallableRefusal(std::to_string(teams) + " teams");
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return baselines::with_choice(Owned(), knobs.own, [&]<int Own>(std::integral_constant<int, Own>) {
      using Team = BodyOfTeam<T, Own>;
      const Team unbound{ForceEvaluation<T>(), problem.shape[0], knobs.bodies};
      const auto scratch = Team::Scratch::shmem_size(static_cast<std::size_t>(knobs.bodies));
      const auto policy = baselines::team_policy(space, static_cast<int>(teams), knobs.team_size, 1, scratch, unbound,
                                                 Kokkos::ParallelForTag());
      const auto next = room_for<T>(problem);
      return make_prepared([problem, policy, unbound, next](Stream, const CallableBuffers& buffers) {
        for_each_evaluation<T>(problem, buffers, next.data(), [&](const ForceEvaluation<T>& one) {
          Team body = unbound;
          body.of = one;
          Kokkos::parallel_for("nbody", policy, body);
        });
      });
    });
  });
}

/// Kokkos::rsqrt is the toolkit's, as in the kernels; elsewhere a root and a division have fewer roundings.
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
