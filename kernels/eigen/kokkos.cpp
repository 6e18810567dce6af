// Eigenvalues in Kokkos: a team per matrix, or a team of several threads whose vector lanes have a matrix each. It is
// kept in scratch memory and rotated in rounds of pairs.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernels/eigen/problems.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::eigen {
namespace {

using baselines::KokkosSpace;

constexpr int kMostSweeps = 20;

template <class T>
KOKKOS_INLINE_FUNCTION T conjugate(const T x) {
  return x;
}
template <class T>
KOKKOS_INLINE_FUNCTION Kokkos::complex<T> conjugate(const Kokkos::complex<T> x) {
  return Kokkos::complex<T>(x.real(), -x.imag());
}
template <class T>
KOKKOS_INLINE_FUNCTION T real_part(const T x) {
  return x;
}
template <class T>
KOKKOS_INLINE_FUNCTION T real_part(const Kokkos::complex<T> x) {
  return x.real();
}

template <class T>
KOKKOS_INLINE_FUNCTION T largest_part(const T x) {
  return std::fabs(x);
}
template <class T>
KOKKOS_INLINE_FUNCTION T largest_part(const Kokkos::complex<T> x) {
  return std::fmax(std::fabs(x.real()), std::fabs(x.imag()));
}

/// The power of two that brings the largest part to [1, 4), as in rotation.cuh.
template <class T>
KOKKOS_INLINE_FUNCTION T scale_for(const T largest) {
  constexpr int kMost = sizeof(T) == 8 ? 1022 : 126;
  if (!(largest > 0)) return 1;
  const int exponent = -ilogb(static_cast<double>(largest));
  return static_cast<T>(ldexp(1.0, exponent < -kMost ? -kMost : exponent > kMost ? kMost : exponent));
}

/// c, e for which [c, e; -conj(e), c] makes an entry zero, as in rotation.cuh, and the change of the diagonal.
template <class T, class Entry>
struct Turn {
  T c = 1;
  Entry e = Entry(0);
  T step = 0;

  KOKKOS_INLINE_FUNCTION void set(const T a, const T d, const Entry between, const T squares) {
    const T size = std::sqrt(squares);
    const T cotangent = (d - a) / (2 * size);
    const T tangent = (cotangent < 0 ? -1 : 1) / (std::fabs(cotangent) + std::sqrt(cotangent * cotangent + 1));
    c = 1 / std::sqrt(tangent * tangent + 1);
    e = between * (tangent * c / size);
    step = tangent * size;
  }
};

using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
using Memory = typename KokkosSpace::scratch_memory_space;

/// What works on a matrix together: all threads of a team.
struct Team {
  const Member& member;
  KOKKOS_INLINE_FUNCTION auto over(const int count) const { return Kokkos::TeamThreadRange(member, count); }
  KOKKOS_INLINE_FUNCTION void barrier() const { member.team_barrier(); }
  KOKKOS_INLINE_FUNCTION const Memory& scratch() const { return member.team_scratch(0); }
};
/// The vector lanes of one thread. The end of a parallel_for over them is a barrier, that of a parallel_reduce is none.
struct Thread {
  const Member& member;
  KOKKOS_INLINE_FUNCTION auto over(const int count) const { return Kokkos::ThreadVectorRange(member, count); }
  KOKKOS_INLINE_FUNCTION void barrier() const {
    Kokkos::single(Kokkos::PerThread(member), [] {});
  }
  KOKKOS_INLINE_FUNCTION const Memory& scratch() const { return member.thread_scratch(0); }
};

template <class T, class Entry, class Group>
struct MatrixBody {
  template <class Data>
  using Scratch = Kokkos::View<Data, Kokkos::LayoutRight, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  const Entry* matrices = nullptr;
  T* values = nullptr;
  Entry* vectors = nullptr;
  Entry* unsorted = nullptr;  ///< vectors before they are sorted
  int order = 0;
  std::int64_t matrix_count = 0;

  std::size_t scratch_bytes() const {
    const auto rows = static_cast<std::size_t>(order);
    return Scratch<Entry**>::shmem_size(rows, rows + 1) + 3 * Scratch<T*>::shmem_size(rows) +
           Scratch<Entry*>::shmem_size(rows) + Scratch<int*>::shmem_size(rows);
  }

  KOKKOS_INLINE_FUNCTION static void rotate(Entry& x, Entry& y, const T c, const Entry e) {
    const Entry turned = c * x - conjugate(e) * y;
    y = e * x + c * y;
    x = turned;
  }

  /// The rows of pair k of a round, the smaller first; a row number equal to `order` means no row.
  KOKKOS_INLINE_FUNCTION void pair_of(const int round, const int k, int& p, int& q) const {
    const int seats = order + order % 2 - 1;
    const int one = k == 0 ? seats : (round + k) % seats;
    const int other = k == 0 ? round : (round + seats - k) % seats;
    p = one < other ? one : other;
    q = one < other ? other : one;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    constexpr bool kWholeTeam = std::is_same_v<Group, Team>;
    const std::int64_t number =
        kWholeTeam ? member.league_rank()
                   : static_cast<std::int64_t>(member.league_rank()) * member.team_size() + member.team_rank();
    if (number < matrix_count) solve(Group{member}, number);
  }

  KOKKOS_INLINE_FUNCTION void solve(const Group& group, const std::int64_t number) const {
    const int n = order;
    const int pairs = (n + 1) / 2;
    const Entry* const from = matrices + number * n * n;
    Entry* const own = unsorted + number * n * n;
    const Scratch<Entry**> a(group.scratch(), n, n + 1);
    const Scratch<T*> cosines(group.scratch(), n);
    const Scratch<Entry*> sines(group.scratch(), n);
    const Scratch<T*> lower(group.scratch(), n);
    const Scratch<T*> upper(group.scratch(), n);
    const Scratch<int*> ranks(group.scratch(), n);

    T largest = 0;
    Kokkos::parallel_reduce(
        group.over(n * n), [&](const int at, T& most) { most = std::fmax(most, largest_part(from[at])); },
        Kokkos::Max<T>(largest));
    const T scale = scale_for(largest);
    T squares = 0;
    Kokkos::parallel_reduce(
        group.over(n * n),
        [&](const int at, T& sum) {
          const Entry x = scale * from[at];
          a(at % n, at / n) = x;
          own[at] = at % n == at / n ? Entry(1) : Entry(0);
          sum += real_part(x * conjugate(x));
        },
        squares);
    const T limit = std::sqrt(squares) * static_cast<T>(unit_roundoff(sizeof(T) == 8)) / static_cast<T>(n);
    group.barrier();

    int turned = 1;
    for (int sweep = 0; sweep < kMostSweeps && turned > 0; ++sweep) {
      turned = 0;
      for (int round = 0; round < n + n % 2 - 1; ++round) {
        int now = 0;
        Kokkos::parallel_reduce(
            group.over(pairs),
            [&](const int k, int& count) {
              int p = 0;
              int q = 0;
              pair_of(round, k, p, q);
              Turn<T, Entry> by;
              if (q < n) {
                const Entry between = a(p, q);
                const T size = real_part(between * conjugate(between));
                if (size > limit * limit) {
                  by.set(real_part(a(p, p)), real_part(a(q, q)), between, size);
                  lower(k) = real_part(a(p, p)) - by.step;
                  upper(k) = real_part(a(q, q)) + by.step;
                  ++count;
                }
              }
              cosines(k) = by.c;
              sines(k) = by.e;
            },
            now);
        turned += now;
        group.barrier();
        for_pairs(group, round, [&](const int row, const int k, const int p, const int q) {
          rotate(a(row, p), a(row, q), cosines(k), sines(k));
          rotate(own[p * n + row], own[q * n + row], cosines(k), sines(k));
        });
        group.barrier();
        for_pairs(group, round, [&](const int column, const int k, const int p, const int q) {
          rotate(a(p, column), a(q, column), cosines(k), conjugate(sines(k)));
        });
        group.barrier();
        // The entries of the pairs themselves are known exactly, so they are set without rounding.
        Kokkos::parallel_for(group.over(pairs), [&](const int k) {
          int p = 0;
          int q = 0;
          pair_of(round, k, p, q);
          if (q >= n || sines(k) == Entry(0)) return;
          a(p, q) = a(q, p) = Entry(0);
          a(p, p) = Entry(lower(k));
          a(q, q) = Entry(upper(k));
        });
        group.barrier();
      }
    }
    sort(group, a, ranks, number, scale);
  }

  /// use(i, k, p, q) for every row or column i and every pair k of a round.
  template <class Use>
  KOKKOS_INLINE_FUNCTION void for_pairs(const Group& group, const int round, const Use& use) const {
    const int n = order;
    Kokkos::parallel_for(group.over(n * ((n + 1) / 2)), [&](const int at) {
      int p = 0;
      int q = 0;
      pair_of(round, at / n, p, q);
      if (q < n) use(at % n, at / n, p, q);
    });
  }

  KOKKOS_INLINE_FUNCTION void sort(const Group& group, const Scratch<Entry**>& a, const Scratch<int*>& ranks,
                                   const std::int64_t number, const T scale) const {
    const int n = order;
    Kokkos::parallel_for(group.over(n), [&](const int k) {
      const T mine = real_part(a(k, k));
      int smaller = 0;
      for (int other = 0; other < n; ++other) {
        const T one = real_part(a(other, other));
        if (one < mine || (one == mine && other < k)) ++smaller;
      }
      ranks(k) = smaller;
      values[number * n + smaller] = mine / scale;
    });
    group.barrier();
    Kokkos::parallel_for(group.over(n * n), [&](const int at) {
      vectors[(number * n + ranks(at / n)) * n + at % n] = unsorted[number * n * n + at];
    });
  }

  KOKKOS_INLINE_FUNCTION static double unit_roundoff(const bool is_double) { return is_double ? 0x1p-53 : 0x1p-24; }
};

struct team_knobs {
  int team_size = 0;  ///< 0: Kokkos::AUTO
};

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("team_size", &team_knobs::team_size, {0, 8, 16, 32, 64, 128, 256});
  return space;
}

struct thread_knobs {
  int matrices = 8;       ///< of a team
  int vector_length = 8;  ///< lanes of a matrix
};

SpaceOf<thread_knobs> thread_space() {
  SpaceOf<thread_knobs> space;
  space.axis("matrices", &thread_knobs::matrices, {1, 2, 4, 8, 16, 32})
      .axis("vector_length", &thread_knobs::vector_length, {4, 8, 16, 32})
      .require("32 to 512 threads", [](const thread_knobs& k) {
        return k.matrices * k.vector_length >= 32 && k.matrices * k.vector_length <= 512;
      });
  return space;
}

/// A policy whose threads have a matrix each, with scratch memory for it; fewer in a team than asked for if more do not
/// fit.
template <class Body>
Kokkos::TeamPolicy<KokkosSpace> thread_policy(const KokkosSpace& space, const Body& body, const thread_knobs& knobs) {
  using Policy = Kokkos::TeamPolicy<KokkosSpace>;
  const auto scratch = static_cast<int>(body.scratch_bytes());
  if (scratch > Policy::scratch_size_max(0)) throw CallableRefusal("needs too much scratch memory");
  Policy automatic(space, 1, Kokkos::AUTO, knobs.vector_length);
  automatic.set_scratch_size(0, Kokkos::PerThread(scratch));
  const int most = automatic.team_size_max(body, Kokkos::ParallelForTag());
  if (most < 1) throw CallableRefusal("no thread has that much scratch memory");
  const int threads = std::min(knobs.matrices, most);
  Policy policy(space, static_cast<int>((body.matrix_count + threads - 1) / threads), threads, knobs.vector_length);
  policy.set_scratch_size(0, Kokkos::PerThread(scratch));
  return policy;
}

/// `policy_of`(space, body) gives the policy.
template <class Group, class PolicyOf>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request, PolicyOf policy_of) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const auto with_entry = [&]<class T, class Entry>() {
    MatrixBody<T, Entry, Group> unbound;
    unbound.order = static_cast<int>(order_of(request.problem));
    unbound.matrix_count = request.problem.shape[0];
    if (unbound.matrix_count > std::numeric_limits<int>::max()) throw CallableRefusal("a league has 2^31 - 1 teams");
    const auto run = [policy = policy_of(space, unbound), unbound](Stream, const CallableBuffers& buffers) {
      MatrixBody<T, Entry, Group> body = unbound;
      body.matrices = static_cast<const Entry*>(buffers.at("matrix"));
      body.values = static_cast<T*>(buffers.at("values"));
      body.vectors = static_cast<Entry*>(buffers.at("vectors"));
      body.unsorted = static_cast<Entry*>(buffers.at("scratch"));
      Kokkos::parallel_for("eigen", policy, body);
    };
    return make_prepared(
        run, unbound.matrix_count * unbound.order * unbound.order * static_cast<std::int64_t>(sizeof(Entry)));
  };
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    return is_complex(request.problem) ? with_entry.template operator()<T, Kokkos::complex<T>>()
                                       : with_entry.template operator()<T, T>();
  });
}

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  return prepared<Team>(request, [&](const KokkosSpace& space, const auto& body) {
    return baselines::team_policy(space, static_cast<int>(body.matrix_count), knobs.team_size, 1, body.scratch_bytes(),
                                  body, Kokkos::ParallelForTag());
  });
}

std::unique_ptr<PreparedCallable> prepare_threads(const CallableRequest& request, const thread_knobs& knobs) {
  return prepared<Thread>(
      request, [&](const KokkosSpace& space, const auto& body) { return thread_policy(space, body, knobs); });
}

/// A league of zero teams cannot be launched.
bool supports(const Problem& problem) {
  return problem.shape[0] > 0;
}

}  // namespace

std::vector<Callable> eigen_kokkos() {
  const Callable port{.pattern = "eigen",
                      .laws = {"eigenvalues add up to the trace"},
                      .supports = supports,
                      // Products and sums may be rounded separately, and complex ones part by part.
                      .depth = [](const Problem& problem, const Point&, const Device&) {
                        return 2 * turning_depth(kMostSweeps, cyclic_stages(problem) + 2);
                      }};
  return {baselines::kokkos_port(port, "team", prepare_team, team_space()),
          baselines::kokkos_port(port, "threads", prepare_threads, thread_space())};
}

}  // namespace warpwright::eigen
