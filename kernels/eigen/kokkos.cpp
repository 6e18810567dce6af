// Eigenvalues in Kokkos: one team per matrix, which it keeps in scratch memory and rotates in rounds of pairs.
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
/// Scratch memory that every device has for a team.
constexpr std::size_t kMostScratch = 48 * 1024;

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

template <class T, class Entry>
struct TeamBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Memory = typename KokkosSpace::scratch_memory_space;
  template <class Data>
  using Scratch = Kokkos::View<Data, Kokkos::LayoutRight, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  const Entry* matrices = nullptr;
  T* values = nullptr;
  Entry* vectors = nullptr;
  Entry* unsorted = nullptr;  ///< vectors before they are sorted
  int order = 0;

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
    const int n = order;
    const int pairs = (n + 1) / 2;
    const std::int64_t number = member.league_rank();
    const Entry* const from = matrices + number * n * n;
    Entry* const own = unsorted + number * n * n;
    const Scratch<Entry**> a(member.team_scratch(0), n, n + 1);
    const Scratch<T*> cosines(member.team_scratch(0), n);
    const Scratch<Entry*> sines(member.team_scratch(0), n);
    const Scratch<T*> lower(member.team_scratch(0), n);
    const Scratch<T*> upper(member.team_scratch(0), n);
    const Scratch<int*> ranks(member.team_scratch(0), n);

    T largest = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, n * n),
        [&](const int at, T& most) { most = std::fmax(most, largest_part(from[at])); }, Kokkos::Max<T>(largest));
    const T scale = scale_for(largest);
    T squares = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, n * n),
        [&](const int at, T& sum) {
          const Entry x = scale * from[at];
          a(at % n, at / n) = x;
          own[at] = at % n == at / n ? Entry(1) : Entry(0);
          sum += real_part(x * conjugate(x));
        },
        squares);
    const T limit = std::sqrt(squares) * static_cast<T>(unit_roundoff(sizeof(T) == 8)) / static_cast<T>(n);
    member.team_barrier();

    int turned = 1;
    for (int sweep = 0; sweep < kMostSweeps && turned > 0; ++sweep) {
      turned = 0;
      for (int round = 0; round < n + n % 2 - 1; ++round) {
        int now = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(member, pairs),
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
        member.team_barrier();
        for_pairs(member, round, [&](const int row, const int k, const int p, const int q) {
          rotate(a(row, p), a(row, q), cosines(k), sines(k));
          rotate(own[p * n + row], own[q * n + row], cosines(k), sines(k));
        });
        member.team_barrier();
        for_pairs(member, round, [&](const int column, const int k, const int p, const int q) {
          rotate(a(p, column), a(q, column), cosines(k), conjugate(sines(k)));
        });
        member.team_barrier();
        // The entries of the pairs themselves are known exactly, so they are set without rounding.
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, pairs), [&](const int k) {
          int p = 0;
          int q = 0;
          pair_of(round, k, p, q);
          if (q >= n || sines(k) == Entry(0)) return;
          a(p, q) = a(q, p) = Entry(0);
          a(p, p) = Entry(lower(k));
          a(q, q) = Entry(upper(k));
        });
        member.team_barrier();
      }
    }
    sort(member, a, ranks, number, scale);
  }

  /// use(i, k, p, q) for every row or column i and every pair k of a round.
  template <class Use>
  KOKKOS_INLINE_FUNCTION void for_pairs(const Member& member, const int round, const Use& use) const {
    const int n = order;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, n * ((n + 1) / 2)), [&](const int at) {
      int p = 0;
      int q = 0;
      pair_of(round, at / n, p, q);
      if (q < n) use(at % n, at / n, p, q);
    });
  }

  KOKKOS_INLINE_FUNCTION void sort(const Member& member, const Scratch<Entry**>& a, const Scratch<int*>& ranks,
                                   const std::int64_t number, const T scale) const {
    const int n = order;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, n), [&](const int k) {
      const T mine = real_part(a(k, k));
      int smaller = 0;
      for (int other = 0; other < n; ++other) {
        const T one = real_part(a(other, other));
        if (one < mine || (one == mine && other < k)) ++smaller;
      }
      ranks(k) = smaller;
      values[number * n + smaller] = mine / scale;
    });
    member.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, n * n), [&](const int at) {
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

template <class T, class Entry>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request, const team_knobs& knobs) {
  const std::int64_t matrices = request.problem.shape[0];
  if (matrices > std::numeric_limits<int>::max()) throw CallableRefusal("a league has 2^31 - 1 teams");
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  TeamBody<T, Entry> unbound;
  unbound.order = static_cast<int>(order_of(request.problem));
  if (unbound.scratch_bytes() > kMostScratch)
    throw CallableRefusal("needs " + std::to_string(unbound.scratch_bytes()) + " bytes of scratch memory");
  const auto policy =
      baselines::team_policy(space, static_cast<int>(matrices), knobs.team_size, 1,
                             static_cast<int>(unbound.scratch_bytes()), unbound, Kokkos::ParallelForTag());
  const auto run = [policy, unbound](Stream, const CallableBuffers& buffers) {
    TeamBody<T, Entry> body = unbound;
    body.matrices = static_cast<const Entry*>(buffers.at("matrix"));
    body.values = static_cast<T*>(buffers.at("values"));
    body.vectors = static_cast<Entry*>(buffers.at("vectors"));
    body.unsorted = static_cast<Entry*>(buffers.at("scratch"));
    Kokkos::parallel_for("eigen", policy, body);
  };
  return make_prepared(run, matrices * unbound.order * unbound.order * static_cast<std::int64_t>(sizeof(Entry)));
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request, const team_knobs& knobs) {
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    return is_complex(request.problem) ? prepared<T, Kokkos::complex<T>>(request, knobs)
                                       : prepared<T, T>(request, knobs);
  });
}

/// A league of zero teams cannot be launched.
bool supports(const Problem& problem) {
  return problem.shape[0] > 0;
}

}  // namespace

std::vector<Callable> eigen_kokkos() {
  return {baselines::kokkos_port(
      {.pattern = "eigen",
       .laws = {"eigenvalues add up to the trace"},
       .supports = supports,
       // Products and sums may be rounded separately, and complex ones part by part.
       .depth = [](const Problem& problem, const Point&,
                   const Device&) { return 2 * turning_depth(kMostSweeps, cyclic_stages(problem) + 2); }},
      "team", prepare, team_space())};
}

}  // namespace warpwright::eigen
