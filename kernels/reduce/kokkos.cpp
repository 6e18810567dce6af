// Reductions in Kokkos: parallel_reduce over a range, and over teams that reduce a piece each.
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"

namespace warpwright::reduce {
namespace {

using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

template <class T>
struct SumOf {
  using Reducer = Kokkos::Sum<T, KokkosMemory>;
  using InTeam = Kokkos::Sum<T>;
  KOKKOS_INLINE_FUNCTION static void add(T& to, T value) { to += value; }
};
template <class T>
struct ProductOf {
  using Reducer = Kokkos::Prod<T, KokkosMemory>;
  using InTeam = Kokkos::Prod<T>;
  KOKKOS_INLINE_FUNCTION static void add(T& to, T value) { to *= value; }
};
template <class T>
struct MinOf {
  using Reducer = Kokkos::Min<T, KokkosMemory>;
  using InTeam = Kokkos::Min<T>;
  KOKKOS_INLINE_FUNCTION static void add(T& to, T value) {
    if (value < to) to = value;
  }
};
template <class T>
struct MaxOf {
  using Reducer = Kokkos::Max<T, KokkosMemory>;
  using InTeam = Kokkos::Max<T>;
  KOKKOS_INLINE_FUNCTION static void add(T& to, T value) {
    if (to < value) to = value;
  }
};

/// Calls f.template operator()<T, Op>() for the problem's type and operator.
template <class T, class F>
auto with_operator(const Problem& problem, F f) {
  const std::string& op = problem.option("op");
  if (op == "sum") return f.template operator()<T, SumOf<T>>();
  if (op == "product") return f.template operator()<T, ProductOf<T>>();
  if (op == "min") return f.template operator()<T, MinOf<T>>();
  return f.template operator()<T, MaxOf<T>>();
}
template <class F>
auto with_type_and_operator(const Problem& problem, F f) {
  if (problem.type() == ElementType::f32) return with_operator<float>(problem, f);
  if (problem.type() == ElementType::f64) return with_operator<double>(problem, f);
  if (problem.type() == ElementType::i64) return with_operator<std::int64_t>(problem, f);
  return with_operator<int>(problem, f);
}

template <class T>
struct Operands {
  KokkosView<const T*> in;
  Kokkos::View<T, KokkosMemory> out;

  Operands(const CallableBuffers& buffers, std::int64_t count)
      : in(static_cast<const T*>(buffers.at("in")), static_cast<std::size_t>(count)),
        out(static_cast<T*>(buffers.at("out"))) {}
};

struct range_knobs {
  int max_threads = 0;  ///< LaunchBounds; 0: none
  int items = 1;        ///< neighbouring elements per index
};

template <class T, class Op, int Items>
struct RangeBody {
  KokkosView<const T*> in;
  std::int64_t count;

  KOKKOS_INLINE_FUNCTION void operator()(const std::int64_t index, T& partial) const {
    const std::int64_t first = index * Items;
    if (first + Items <= count) {
      for (int k = 0; k < Items; ++k) Op::add(partial, in(first + k));
    } else {
      for (std::int64_t i = first; i < count; ++i) Op::add(partial, in(i));
    }
  }
};

template <class T, class Op, int Items, unsigned MaxThreads>
std::unique_ptr<PreparedCallable> prepared_range(const CallableRequest& request) {
  using Policy = Kokkos::RangePolicy<KokkosSpace, Kokkos::IndexType<std::int64_t>,
                                     Kokkos::LaunchBounds<MaxThreads, MaxThreads == 0 ? 0 : 1>>;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return make_prepared([space, count = request.problem.elements()](Stream, const CallableBuffers& buffers) {
    const Operands<T> operands(buffers, count);
    Kokkos::parallel_reduce("reduce", Policy(space, 0, (count + Items - 1) / Items),
                            RangeBody<T, Op, Items>{operands.in, count}, typename Op::Reducer(operands.out));
  });
}

template <class T, class Op, int Items>
std::unique_ptr<PreparedCallable> with_bounds(const CallableRequest& request, int max_threads) {
  return max_threads == 0 ? prepared_range<T, Op, Items, 0>(request) : prepared_range<T, Op, Items, 128>(request);
}

SpaceOf<range_knobs> range_space() {
  SpaceOf<range_knobs> space;
  space.axis("max_threads", &range_knobs::max_threads, {0, 128}).axis("items", &range_knobs::items, {1, 2, 4, 8});
  return space;
}

std::unique_ptr<PreparedCallable> prepare_range(const CallableRequest& request) {
  const range_knobs knobs = range_space().params(request.knobs);
  return with_type_and_operator(request.problem, [&]<class T, class Op>() {
    switch (knobs.items) {
      case 2:
        return with_bounds<T, Op, 2>(request, knobs.max_threads);
      case 4:
        return with_bounds<T, Op, 4>(request, knobs.max_threads);
      case 8:
        return with_bounds<T, Op, 8>(request, knobs.max_threads);
      default:
        return with_bounds<T, Op, 1>(request, knobs.max_threads);
    }
  });
}

struct team_knobs {
  int team_size = 0;  ///< 0: Kokkos::AUTO
  int vector_length = 1;
  int team_elements = 8192;
};

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("team_size", &team_knobs::team_size, {0, 8, 32, 128, 256, 512, 1024})
      .axis("vector_length", &team_knobs::vector_length, {1, 8, 32})
      .axis("team_elements", &team_knobs::team_elements, {2048, 8192, 32768, 131072})
      .require("threads per block", [](const team_knobs& k) { return k.team_size * k.vector_length <= 1024; })
      .require("whole warps",
               [](const team_knobs& k) { return k.team_size == 0 || k.team_size * k.vector_length >= 32; });
  return space;
}

template <class T, class Op>
struct TeamBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  KokkosView<const T*> in;
  std::int64_t count;
  std::int64_t team_elements;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member, T& partial) const {
    const std::int64_t first = member.league_rank() * team_elements;
    const std::int64_t last = first + team_elements < count ? first + team_elements : count;
    T of_team;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(member, first, last), [&](const std::int64_t i, T& value) { Op::add(value, in(i)); },
        typename Op::InTeam(of_team));
    Kokkos::single(Kokkos::PerTeam(member), [&] { Op::add(partial, of_team); });
  }
};

template <class T, class Op>
std::unique_ptr<PreparedCallable> prepared_team(const CallableRequest& request, const team_knobs& knobs) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const std::int64_t count = request.problem.elements();
  const auto league = static_cast<int>((count + knobs.team_elements - 1) / knobs.team_elements);
  const TeamBody<T, Op> unbound{{}, count, knobs.team_elements};
  const auto policy = baselines::team_policy(space, league, knobs.team_size, knobs.vector_length, 0, unbound,
                                             Kokkos::ParallelReduceTag());
  return make_prepared([policy, unbound](Stream, const CallableBuffers& buffers) {
    const Operands<T> operands(buffers, unbound.count);
    TeamBody<T, Op> body = unbound;
    body.in = operands.in;
    Kokkos::parallel_reduce("reduce", policy, body, typename Op::Reducer(operands.out));
  });
}

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request) {
  const team_knobs knobs = team_space().params(request.knobs);
  return with_type_and_operator(request.problem,
                                [&]<class T, class Op>() { return prepared_team<T, Op>(request, knobs); });
}

bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  const bool known = is_floating(type) || type == ElementType::i32 || type == ElementType::i64;
  return known && problem.elements() > 0;
}

/// The two add at least 32 partial results side by side on every SM where there is work for them; blocks of at most
/// 1024 threads then combine them in trees.
constexpr double kLanesPerSm = 32;
constexpr double kTrees = 128;

double range_depth(const Problem& problem, const Point&, const Device& device) {
  const auto count = static_cast<double>(problem.elements());
  return baselines::kKokkosIsParallel ? count / (kLanesPerSm * device.sm_count) + kTrees : count;
}

/// A team's piece by at least 32 lanes; then the teams of one block one after the other.
double team_depth(const Problem& problem, const Point& point, const Device& device) {
  const auto count = static_cast<double>(problem.elements());
  const double piece = team_space().params(point).team_elements;
  return baselines::kKokkosIsParallel ? piece / kLanesPerSm + count / piece / device.sm_count + kTrees : count;
}

}  // namespace

std::vector<Callable> reduce_kokkos() {
  return {{.pattern = "reduce",
           .implementation = "kokkos",
           .idiom = "range",
           .version = baselines::kokkos_version(),
           .knobs = range_space().space(),
           .default_knobs = range_space().point({}),
           .supports = supports,
           .depth = range_depth,
           .prepare = prepare_range},
          {.pattern = "reduce",
           .implementation = "kokkos",
           .idiom = "team",
           .version = baselines::kokkos_version(),
           .knobs = team_space().space(),
           .default_knobs = team_space().point({}),
           .supports = supports,
           .depth = team_depth,
           .prepare = prepare_team}};
}

}  // namespace warpwright::reduce
