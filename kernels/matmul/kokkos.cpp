// Matrix products in Kokkos: parallel_for over the elements of C, teams that keep tiles in scratch memory, and teams
// whose threads hold a square of sums in registers besides.
#include <algorithm>
#include <limits>

#include "kernels/matmul/problems.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::matmul {
namespace {

using baselines::Choices;
using baselines::KokkosSpace;
using baselines::KokkosView;

/// The matrices of a problem, including the memory after their rows, and the factors.
template <class T>
struct Product {
  KokkosView<const T**> a, b;
  KokkosView<T**> c;
  std::int64_t m = 0, n = 0, k = 0;
  T alpha = 0, beta = 0;
  bool turned = false;

  explicit Product(const Problem& problem)
      : m(problem.shape[0]),
        n(problem.shape[1]),
        k(terms_of(problem)),
        alpha(static_cast<T>(problem.number("alpha"))),
        beta(static_cast<T>(problem.number("beta"))),
        turned(is_transposed(problem)) {}

  /// The same on these buffers.
  Product on(const extents& e, const CallableBuffers& buffers) const {
    const auto size = [](long long extent) { return static_cast<std::size_t>(extent); };
    Product bound = *this;
    bound.a = KokkosView<const T**>(static_cast<const T*>(buffers.at("a")), size(e.m), size(e.lda));
    bound.b = KokkosView<const T**>(static_cast<const T*>(buffers.at("b")), size(turned ? e.n : e.k), size(e.ldb));
    bound.c = KokkosView<T**>(static_cast<T*>(buffers.at("c")), size(e.m), size(e.ldc));
    return bound;
  }

  /// The product of that number, whose matrices lie behind those of the ones before.
  KOKKOS_INLINE_FUNCTION Product number(const std::int64_t product) const {
    Product one = *this;
    const auto behind = [=](const auto& first) {
      const auto elements = static_cast<std::int64_t>(first.extent(0) * first.extent(1));
      return std::decay_t<decltype(first)>(first.data() + product * elements, first.extent(0), first.extent(1));
    };
    one.a = behind(a);
    one.b = behind(b);
    one.c = behind(c);
    return one;
  }

  KOKKOS_INLINE_FUNCTION T of_b(const std::int64_t term, const std::int64_t column) const {
    return turned ? b(column, term) : b(term, column);
  }
  KOKKOS_INLINE_FUNCTION void put(const std::int64_t row, const std::int64_t column, const T sum) const {
    c(row, column) = beta == T(0) ? alpha * sum : alpha * sum + beta * c(row, column);
  }
};

struct mdrange_knobs {
  int tile_first = 0;  ///< columns; 0: Kokkos' default
  int tile_second = 0;
  int index_bits = 0;  ///< 0: Kokkos' default; or 64
};

SpaceOf<mdrange_knobs> mdrange_space() {
  SpaceOf<mdrange_knobs> space;
  space.axis("tile_first", &mdrange_knobs::tile_first, {0, 8, 16, 32, 64, 128})
      .axis("tile_second", &mdrange_knobs::tile_second, {0, 1, 2, 4, 8, 16})
      .axis("index_bits", &mdrange_knobs::index_bits, baselines::values_of(baselines::KokkosIndexBits()));
  baselines::require_launchable_tiles(space);
  return space;
}

/// Called with the column first.
template <class T, class Index>
struct ElementBody {
  Product<T> of;

  KOKKOS_INLINE_FUNCTION void operator()(const Index column, const Index row) const {
    T sum = 0;
    const auto terms = static_cast<Index>(of.k);
    for (Index term = 0; term < terms; ++term) sum += of.a(row, term) * of.of_b(term, column);
    of.put(row, column, sum);
  }
};

std::unique_ptr<PreparedCallable> prepare_mdrange(const CallableRequest& request, const mdrange_knobs& knobs) {
  const extents e = extents_of(request.problem);
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    return baselines::with_choice(
        baselines::KokkosIndexBits(), knobs.index_bits, [&]<int Bits>(std::integral_constant<int, Bits>) {
          using Plane = baselines::KokkosPlane<Bits>;
          using Index = baselines::KokkosIndex<Plane>;
          const auto policy = baselines::kokkos_plane<Plane>(space, e.n, e.m, knobs.tile_first, knobs.tile_second);
          (void)baselines::kokkos_extent<Index>(e.k);
          return make_prepared([policy, e, of = Product<T>(request.problem)](Stream, const CallableBuffers& buffers) {
            Kokkos::parallel_for("matmul", policy, ElementBody<T, Index>{of.on(e, buffers)});
          });
        });
  });
}

struct team_knobs {
  int tile = 32;
  int tile_k = 16;
  int team_size = 0;  ///< 0: Kokkos::AUTO
  int sums = 4;       ///< sums per thread, in registers
};

using TeamSums = Choices<4, 1, 8, 16>;

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("tile", &team_knobs::tile, {16, 32, 64})
      .axis("tile_k", &team_knobs::tile_k, {8, 16, 32})
      .axis("team_size", &team_knobs::team_size, {0, 64, 128, 256, 512, 1024})
      .axis("sums", &team_knobs::sums, {1, 4, 8, 16})
      .require("a team has no more sums than its tile",
               [](const team_knobs& k) { return k.team_size * k.sums <= k.tile * k.tile; });
  return space;
}

/// A team has one tile of C; tiles of A and B are in scratch memory, whose rows have one more element, against bank
/// conflicts. If `Sums` per thread are too few, the rest is done in further passes over the terms.
template <class T, int Sums>
struct TileBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Scratch = Kokkos::View<T**, Kokkos::LayoutRight, typename KokkosSpace::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Product<T> of;
  int tile, tile_k;

  std::size_t scratch_bytes() const {
    const auto side = static_cast<std::size_t>(tile);
    const auto terms = static_cast<std::size_t>(tile_k);
    return Scratch::shmem_size(side, terms + 1) + Scratch::shmem_size(terms, side + 1);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t across = (of.n + tile - 1) / tile;
    const std::int64_t tiles = across * ((of.m + tile - 1) / tile);
    const Product<T> mine = of.number(member.league_rank() / tiles);
    const std::int64_t top = member.league_rank() % tiles / across * tile;
    const std::int64_t left = member.league_rank() % across * tile;
    const Scratch a(member.team_scratch(0), tile, tile_k + 1);
    const Scratch b(member.team_scratch(0), tile_k, tile + 1);
    const int threads = member.team_size();
    for (int pass = 0; pass < tile * tile; pass += Sums * threads) {
      T sums[Sums] = {};
      for (std::int64_t first = 0; first < of.k; first += tile_k) {
        load(mine, member, a, b, top, left, first);
        member.team_barrier();
        for (int term = 0; term < tile_k; ++term)
          for (int s = 0; s < Sums; ++s) {
            const int at = pass + s * threads + member.team_rank();
            if (at < tile * tile) sums[s] += a(at / tile, term) * b(term, at % tile);
          }
        member.team_barrier();
      }
      for (int s = 0; s < Sums; ++s) {
        const int at = pass + s * threads + member.team_rank();
        const std::int64_t row = top + at / tile;
        const std::int64_t column = left + at % tile;
        if (at < tile * tile && row < of.m && column < of.n) mine.put(row, column, sums[s]);
      }
    }
  }

  /// Both tiles, with zeros where the matrices end.
  KOKKOS_INLINE_FUNCTION void load(const Product<T>& mine, const Member& member, const Scratch& a, const Scratch& b,
                                   const std::int64_t top, const std::int64_t left, const std::int64_t first) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, tile * tile_k), [&](const int at) {
      const int i = at / tile_k;
      const int term = at % tile_k;
      a(i, term) = top + i < mine.m && first + term < mine.k ? mine.a(top + i, first + term) : T(0);
      const int down = mine.turned ? term : at / tile;
      const int right = mine.turned ? i : at % tile;
      b(down, right) = left + right < mine.n && first + down < mine.k ? mine.of_b(first + down, left + right) : T(0);
    });
  }
};

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  const extents e = extents_of(request.problem);
  const std::int64_t teams =
      products_of(request.problem) * ((e.m + knobs.tile - 1) / knobs.tile) * ((e.n + knobs.tile - 1) / knobs.tile);
  if (teams > std::numeric_limits<int>::max()) throw CallableRefusal(std::to_string(teams) + " teams");
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    return baselines::with_choice(TeamSums(), knobs.sums, [&]<class Sums>(Sums) {
      const TileBody<T, Sums::value> unbound{Product<T>(request.problem), knobs.tile, knobs.tile_k};
      const auto policy = baselines::team_policy(space, static_cast<int>(teams), knobs.team_size, 1,
                                                 unbound.scratch_bytes(), unbound, Kokkos::ParallelForTag());
      return make_prepared([policy, e, unbound](Stream, const CallableBuffers& buffers) {
        TileBody<T, Sums::value> body = unbound;
        body.of = unbound.of.on(e, buffers);
        Kokkos::parallel_for("matmul", policy, body);
      });
    });
  });
}

struct square_knobs {
  int tile = 64;
  int tile_k = 8;
  int side = 4;  ///< of the square of sums that a thread holds
};

SpaceOf<square_knobs> square_space() {
  SpaceOf<square_knobs> space;
  space.axis("tile", &square_knobs::tile, {32, 64, 128})
      .axis("tile_k", &square_knobs::tile_k, {8, 16})
      .axis("side", &square_knobs::side, {4, 8})
      .require("teams of 64 to 1024 threads", [](const square_knobs& k) { return k.tile / k.side >= 8; });
  return space;
}

/// A team has one tile of C, and a thread Side x Side of its elements, as far apart as there are threads along a side.
/// A team with fewer threads goes over the terms several times.
template <class T, int Tile, int TileK, int Side>
struct SquareBody {
  static constexpr int kAcross = Tile / Side;
  static constexpr int kThreads = kAcross * kAcross;
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Scratch = Kokkos::View<T[TileK][Tile + 1], Kokkos::LayoutRight, typename KokkosSpace::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Product<T> of;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t across = (of.n + Tile - 1) / Tile;
    const std::int64_t tiles = across * ((of.m + Tile - 1) / Tile);
    const Product<T> mine = of.number(member.league_rank() / tiles);
    const std::int64_t top = member.league_rank() % tiles / across * Tile;
    const std::int64_t left = member.league_rank() % across * Tile;
    const Scratch a(member.team_scratch(0));
    const Scratch b(member.team_scratch(0));
    for (int thread = member.team_rank(); thread < kThreads; thread += member.team_size()) {
      const int down = thread / kAcross;
      const int right = thread % kAcross;
      T sums[Side][Side] = {};
      for (std::int64_t first = 0; first < of.k; first += TileK) {
        load(mine, member, a, b, top, left, first);
        member.team_barrier();
        for (int term = 0; term < TileK; ++term) {
          T column[Side], row[Side];
          for (int i = 0; i < Side; ++i) column[i] = a(term, down + i * kAcross);
          for (int j = 0; j < Side; ++j) row[j] = b(term, right + j * kAcross);
          for (int i = 0; i < Side; ++i)
            for (int j = 0; j < Side; ++j) sums[i][j] += column[i] * row[j];
        }
        member.team_barrier();
      }
      for (int i = 0; i < Side; ++i)
        for (int j = 0; j < Side; ++j) {
          const std::int64_t m = top + down + i * kAcross;
          const std::int64_t n = left + right + j * kAcross;
          if (m < of.m && n < of.n) mine.put(m, n, sums[i][j]);
        }
    }
  }

  /// Both tiles, that of A transposed, with zeros where the matrices end.
  KOKKOS_INLINE_FUNCTION void load(const Product<T>& mine, const Member& member, const Scratch& a, const Scratch& b,
                                   const std::int64_t top, const std::int64_t left, const std::int64_t first) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, Tile * TileK), [&](const int at) {
      const int i = at / TileK;
      const int term = at % TileK;
      a(term, i) = top + i < mine.m && first + term < mine.k ? mine.a(top + i, first + term) : T(0);
      const int down = mine.turned ? term : at / Tile;
      const int right = mine.turned ? i : at % Tile;
      b(down, right) = left + right < mine.n && first + down < mine.k ? mine.of_b(first + down, left + right) : T(0);
    });
  }
};

template <class T, int Tile, int TileK, int Side>
std::unique_ptr<PreparedCallable> prepared_square(const CallableRequest& request) {
  using Body = SquareBody<T, Tile, TileK, Side>;
  const extents e = extents_of(request.problem);
  const std::int64_t teams = products_of(request.problem) * ((e.m + Tile - 1) / Tile) * ((e.n + Tile - 1) / Tile);
  if (teams > std::numeric_limits<int>::max()) throw CallableRefusal(std::to_string(teams) + " teams");
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const Body unbound{Product<T>(request.problem)};
  const auto policy = baselines::team_policy_of(space, static_cast<int>(teams), Body::kThreads,
                                                2 * Body::Scratch::shmem_size(), unbound, Kokkos::ParallelForTag());
  return make_prepared([policy, e, unbound](Stream, const CallableBuffers& buffers) {
    Kokkos::parallel_for("matmul", policy, Body{unbound.of.on(e, buffers)});
  });
}

std::unique_ptr<PreparedCallable> prepare_square(const CallableRequest& request, const square_knobs& knobs) {
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    const auto with_tile = [&]<int Tile, int Side>() {
      return knobs.tile_k == 8 ? prepared_square<T, Tile, 8, Side>(request)
                               : prepared_square<T, Tile, 16, Side>(request);
    };
    if (knobs.tile == 32) return with_tile.template operator()<32, 4>();
    if (knobs.tile == 64)
      return knobs.side == 4 ? with_tile.template operator()<64, 4>() : with_tile.template operator()<64, 8>();
    return knobs.side == 4 ? with_tile.template operator()<128, 4>() : with_tile.template operator()<128, 8>();
  });
}

/// A term is multiplied, added to all others and scaled, with one rounding each; compilers may fuse some.
double depth(const Problem& problem, const Point&, const Device&) {
  return chain_depth(static_cast<double>(problem.shape[2]) + 1);
}

/// Kokkos' 16-bit types differ between backends.
bool is_ordinary(const Problem& problem) {
  return has_elements(problem) && !has_short_elements(problem);
}

}  // namespace

std::vector<Callable> matmul_kokkos() {
  const Callable port{.pattern = "matmul",
                      .laws = {"distributivity", "the identity keeps A", "the transposed product"},
                      .supports = is_ordinary,
                      .depth = depth};
  Callable of_one = port;
  of_one.supports = [](const Problem& problem) { return is_ordinary(problem) && products_of(problem) == 1; };
  return {baselines::kokkos_port(of_one, "mdrange", prepare_mdrange, mdrange_space()),
          baselines::kokkos_port(port, "team_scratch", prepare_team, team_space()),
          baselines::kokkos_port(port, "team_squares", prepare_square, square_space())};
}

}  // namespace warpwright::matmul
