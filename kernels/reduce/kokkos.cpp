// Reductions in Kokkos: parallel_reduce over a range, or over teams that each reduce one piece.
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"

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

using Ranges = baselines::KokkosRanges<baselines::Choices<0, 128>, baselines::Choices<1, 2, 4, 8>>;

template <class T, class Op, class Range>
struct RangeBody {
  using Index = typename Range::Index;
  KokkosView<const T*> in;
  Index count;

  KOKKOS_INLINE_FUNCTION void operator()(const Index index, T& partial) const {
    const Index first = index * Range::items;
    if (first + Range::items <= count) {
      for (int k = 0; k < Range::items; ++k) Op::add(partial, in(first + k));
    } else {
      for (Index i = first; i < count; ++i) Op::add(partial, in(i));
    }
  }
};

template <class T, class Op, class Range>
std::unique_ptr<PreparedCallable> prepared_range(const CallableRequest& request) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return make_prepared(
      [space, count = Range::count(request.problem.elements())](Stream, const CallableBuffers& buffers) {
        const Operands<T> operands(buffers, count);
        Kokkos::parallel_reduce("reduce", Range::policy(space, count), RangeBody<T, Op, Range>{operands.in, count},
                                typename Op::Reducer(operands.out));
      });
}

std::unique_ptr<PreparedCallable> prepare_range(const CallableRequest& request) {
  return with_type_and_operator(request.problem, [&]<class T, class Op>() {
    return Ranges::with(request.knobs, [&]<class Range>(Range) { return prepared_range<T, Op, Range>(request); });
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

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  return with_type_and_operator(request.problem,
                                [&]<class T, class Op>() { return prepared_team<T, Op>(request, knobs); });
}

bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  const bool known = is_floating(type) || type == ElementType::i32 || type == ElementType::i64;
  return known && problem.elements() > 0;
}

/// Both run at least 32 partial results in parallel on every SM if there is enough work; blocks of at most 1024 threads
/// then combine them in trees.
constexpr double kLanesPerSm = 32;
constexpr double kTrees = 128;

double range_depth(const Problem& problem, const Point&, const Device& device) {
  const auto count = static_cast<double>(problem.elements());
  return baselines::kKokkosIsParallel ? count / (kLanesPerSm * device.sm_count) + kTrees : count;
}

/// A team reduces its piece with at least 32 lanes; then one block combines the teams' results one after the other.
double team_depth(const Problem& problem, const Point& point, const Device& device) {
  const auto count = static_cast<double>(problem.elements());
  const double piece = team_space().params(point).team_elements;
  return baselines::kKokkosIsParallel ? piece / kLanesPerSm + count / piece / device.sm_count + kTrees : count;
}

}  // namespace

std::vector<Callable> reduce_kokkos() {
  return {baselines::kokkos_port({.pattern = "reduce", .supports = supports, .depth = range_depth}, "range",
                                 prepare_range, Ranges::space()),
          baselines::kokkos_port({.pattern = "reduce", .supports = supports, .depth = team_depth}, "team", prepare_team,
                                 team_space())};
}

}  // namespace warpwright::reduce
