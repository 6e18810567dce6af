// Richardson's iteration in Kokkos: parallel_for over rows, a team per row, and teams of several rows whose vector
// lanes share the entries of each.
#include "kernels/model/callable.hpp"
#include "kernels/richardson/problems.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::richardson {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

/// A sweep from `from` to `to` over a dense matrix, or over a sparse one.
template <class T>
struct Sweep {
  KokkosView<const std::int64_t*> starts;
  KokkosView<const int*> columns;
  KokkosView<const T*> a, f;
  baselines::KokkosGather<const T*> from;
  KokkosView<T*> to;
  std::int64_t rows = 0;
  T alpha = 0;
  bool sparse = false;

  explicit Sweep(const Problem& problem)
      : rows(problem.shape[0]), alpha(static_cast<T>(problem.number("alpha"))), sparse(is_sparse(problem)) {}

  /// The same on these buffers.
  Sweep on(const Problem& problem, const CallableBuffers& buffers) const {
    const auto n = static_cast<std::size_t>(rows);
    const auto count = static_cast<std::size_t>(entries(problem));
    Sweep bound = *this;
    if (sparse) {
      bound.starts = KokkosView<const std::int64_t*>(static_cast<const std::int64_t*>(buffers.at("starts")), n + 1);
      bound.columns = KokkosView<const int*>(static_cast<const int*>(buffers.at("columns")), count);
    }
    bound.a = KokkosView<const T*>(static_cast<const T*>(buffers.at("a")), count);
    bound.f = KokkosView<const T*>(static_cast<const T*>(buffers.at("f")), n);
    return bound;
  }

  KOKKOS_INLINE_FUNCTION std::int64_t first(const std::int64_t row) const { return sparse ? starts(row) : row * rows; }
  KOKKOS_INLINE_FUNCTION std::int64_t count(const std::int64_t row) const {
    return sparse ? starts(row + 1) - starts(row) : rows;
  }
  KOKKOS_INLINE_FUNCTION T term(const std::int64_t begin, const std::int64_t k) const {
    return a(begin + k) * from(sparse ? columns(begin + k) : k);
  }
  KOKKOS_INLINE_FUNCTION void finish(const std::int64_t row, const T product) const {
    to(row) = from(row) + alpha * (product - f(row));
  }
};

/// Runs all sweeps: take(sweep) launches one in the execution space. They alternate between x and the scratch buffer,
/// so that the last one writes x.
template <class T, class Take>
std::unique_ptr<PreparedCallable> all_sweeps(const CallableRequest& request, Take take) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const Sweep<T> unbound(request.problem);
  const auto run = [space, take, unbound, problem = request.problem](Stream, const CallableBuffers& buffers) {
    const auto n = static_cast<std::size_t>(unbound.rows);
    Sweep<T> sweep = unbound.on(problem, buffers);
    const KokkosView<const T*> start(static_cast<const T*>(buffers.at("start")), n);
    const KokkosView<T*> x(static_cast<T*>(buffers.at("x")), n);
    const KokkosView<T*> other(static_cast<T*>(buffers.at("scratch")), n);
    const std::int64_t sweeps = problem.integer("sweeps");
    if (sweeps == 0) Kokkos::deep_copy(space, x, start);
    sweep.from = start;
    for (std::int64_t left = sweeps; left > 0; --left) {
      sweep.to = left % 2 == 1 ? x : other;
      take(sweep);
      sweep.from = sweep.to;
    }
  };
  return make_prepared(run, request.problem.shape[0] * static_cast<std::int64_t>(sizeof(T)));
}

template <class T>
struct RowBody {
  Sweep<T> of;

  template <class Index>
  KOKKOS_INLINE_FUNCTION void operator()(const Index row) const {
    const std::int64_t first = of.first(row);
    T sum = 0;
    for (std::int64_t k = 0; k < of.count(row); ++k) sum += of.term(first, k);
    of.finish(row, sum);
  }
};

using Ranges = baselines::KokkosRanges<baselines::Choices<0, 64>>;

std::unique_ptr<PreparedCallable> prepare_range(const CallableRequest& request) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    return Ranges::with(request.knobs, [&]<class Range>(Range) {
      const auto policy = Range::policy(space, Range::count(request.problem.shape[0]));
      return all_sweeps<T>(
          request, [policy](const Sweep<T>& sweep) { Kokkos::parallel_for("richardson", policy, RowBody<T>{sweep}); });
    });
  });
}

struct team_knobs {
  int team_size = 0;      ///< 0: Kokkos::AUTO
  int vector_length = 1;  ///< lanes of a thread
};

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("team_size", &team_knobs::team_size, {0, 32, 64, 128, 256, 512})
      .axis("vector_length", &team_knobs::vector_length, {1, 32})
      .require("at most 1024 threads",
               [](const team_knobs& knobs) { return knobs.team_size * knobs.vector_length <= 1024; });
  return space;
}

/// All threads of a team sum one row.
template <class T>
struct TeamBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  Sweep<T> of;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t row = member.league_rank();
    const std::int64_t first = of.first(row);
    T sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(member, of.count(row)),
        [&](const std::int64_t k, T& part) { part += of.term(first, k); }, sum);
    Kokkos::single(Kokkos::PerTeam(member), [&]() { of.finish(row, sum); });
  }
};

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const int teams = baselines::kokkos_extent<int>(request.problem.shape[0]);
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    const TeamBody<T> unbound{Sweep<T>(request.problem)};
    const auto policy = baselines::team_policy(space, teams, knobs.team_size, knobs.vector_length, 0, unbound,
                                               Kokkos::ParallelForTag());
    return all_sweeps<T>(
        request, [policy](const Sweep<T>& sweep) { Kokkos::parallel_for("richardson", policy, TeamBody<T>{sweep}); });
  });
}

struct rows_knobs {
  int rows = 16;          ///< of a team
  int team_size = 0;      ///< 0: Kokkos::AUTO
  int vector_length = 8;  ///< lanes along a row
};

SpaceOf<rows_knobs> rows_space() {
  SpaceOf<rows_knobs> space;
  space.axis("rows", &rows_knobs::rows, {4, 16, 64})
      .axis("team_size", &rows_knobs::team_size, {0, 4, 8, 16, 32})
      .axis("vector_length", &rows_knobs::vector_length, {2, 8, 32})
      .require("a team has no more threads than rows", [](const rows_knobs& k) { return k.team_size <= k.rows; })
      .require("32 to 1024 threads", [](const rows_knobs& k) {
        const int threads = k.team_size * k.vector_length;
        return threads == 0 || (threads >= 32 && threads <= 1024);
      });
  return space;
}

/// Each thread of a team sums some rows, with its vector lanes.
template <class T>
struct RowsBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  Sweep<T> of;
  int rows;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t top = static_cast<std::int64_t>(member.league_rank()) * rows;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, rows), [&](const int r) {
      const std::int64_t row = top + r;
      if (row >= of.rows) return;
      const std::int64_t first = of.first(row);
      T sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, of.count(row)),
          [&](const std::int64_t k, T& part) { part += of.term(first, k); }, sum);
      Kokkos::single(Kokkos::PerThread(member), [&]() { of.finish(row, sum); });
    });
  }
};

std::unique_ptr<PreparedCallable> prepare_rows(const CallableRequest& request, const rows_knobs& knobs) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const int teams = baselines::kokkos_extent<int>((request.problem.shape[0] + knobs.rows - 1) / knobs.rows);
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    const RowsBody<T> unbound{Sweep<T>(request.problem), knobs.rows};
    const auto policy = baselines::team_policy(space, teams, knobs.team_size, knobs.vector_length, 0, unbound,
                                               Kokkos::ParallelForTag());
    return all_sweeps<T>(request, [policy, rows = knobs.rows](const Sweep<T>& sweep) {
      Kokkos::parallel_for("richardson", policy, RowsBody<T>{sweep, rows});
    });
  });
}

/// A league of zero teams cannot be launched; early ends would ask the device after every sweep.
bool supports(const Problem& problem) {
  return problem.shape[0] > 0 && !stops_early(problem);
}

/// Products and the step may be rounded separately: one more rounding for each than if they are fused.
double depth(const Problem& problem, const Point&, const Device&) {
  return sweep_depth(problem, longest_row(problem) + 2);
}

}  // namespace

std::vector<Callable> richardson_kokkos() {
  const Callable port{.pattern = "richardson",
                      .laws = {"a solution is a fixed point", "half of a system has half of the solution"},
                      .supports = supports,
                      .depth = depth};
  return {baselines::kokkos_port(port, "range", prepare_range, Ranges::space()),
          baselines::kokkos_port(port, "team", prepare_team, team_space()),
          baselines::kokkos_port(port, "team_rows", prepare_rows, rows_space())};
}

}  // namespace warpwright::richardson
