// The transposition in Kokkos: parallel_for over index pairs, teams that transpose a tile in scratch memory, and
// deep_copy.
#include <limits>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"

namespace warpwright::transpose {

/// Which index runs fastest over the threads of a tile.
enum class fastest { row, column };

namespace {

using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

bool transposes(const Problem& problem) {
  return problem.option("op") == "transpose";
}

/// out has the transposed shape, or that of in for a copy.
template <class T>
struct Matrices {
  KokkosView<const T**> in;
  KokkosView<T**> out;

  Matrices(const CallableBuffers& buffers, std::size_t rows, std::size_t columns, bool turned)
      : in(static_cast<const T*>(buffers.at("in")), rows, columns),
        out(static_cast<T*>(buffers.at("out")), turned ? columns : rows, turned ? rows : columns) {}
};

struct mdrange_knobs {
  int tile_first = 0;  ///< of the fastest index; 0: Kokkos' default
  int tile_second = 0;
  fastest index = fastest::row;
  int index_bits = 0;  ///< 0: Kokkos' default; or 64
};

SpaceOf<mdrange_knobs> mdrange_space() {
  SpaceOf<mdrange_knobs> space;
  space.axis("tile_first", &mdrange_knobs::tile_first, {0, 4, 8, 16, 32, 64, 128})
      .axis("tile_second", &mdrange_knobs::tile_second, {0, 1, 4, 8, 16, 32})
      .axis("index", &mdrange_knobs::index, {fastest::row, fastest::column})
      .axis("index_bits", &mdrange_knobs::index_bits, baselines::values_of(baselines::KokkosIndexBits()));
  baselines::require_launchable_tiles(space);
  return space;
}

/// Called with the fastest index first.
template <class T, fastest Index, bool Turned>
struct PairBody {
  KokkosView<const T**> in;
  KokkosView<T**> out;

  template <class I>
  KOKKOS_INLINE_FUNCTION void operator()(const I first, const I second) const {
    const I row = Index == fastest::row ? first : second;
    const I column = Index == fastest::row ? second : first;
    if constexpr (Turned)
      out(column, row) = in(row, column);
    else
      out(row, column) = in(row, column);
  }
};

template <class T, fastest Index, bool Turned, int Bits>
std::unique_ptr<PreparedCallable> prepared_mdrange(const CallableRequest& request, const mdrange_knobs& knobs) {
  constexpr bool kRowsFirst = Index == fastest::row;
  const std::int64_t rows = request.problem.shape[0];
  const std::int64_t columns = request.problem.shape[1];
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const auto policy = baselines::kokkos_plane<baselines::KokkosPlane<Bits>>(
      space, kRowsFirst ? rows : columns, kRowsFirst ? columns : rows, knobs.tile_first, knobs.tile_second);
  return make_prepared([policy, rows, columns](Stream, const CallableBuffers& buffers) {
    const Matrices<T> matrices(buffers, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), Turned);
    Kokkos::parallel_for("transpose", policy, PairBody<T, Index, Turned>{matrices.in, matrices.out});
  });
}

template <class T, fastest Index, bool Turned>
std::unique_ptr<PreparedCallable> with_bits(const CallableRequest& request, const mdrange_knobs& knobs) {
  return knobs.index_bits == 0 ? prepared_mdrange<T, Index, Turned, 0>(request, knobs)
                               : prepared_mdrange<T, Index, Turned, 64>(request, knobs);
}

template <class T, bool Turned>
std::unique_ptr<PreparedCallable> with_index(const CallableRequest& request, const mdrange_knobs& knobs) {
  return knobs.index == fastest::row ? with_bits<T, fastest::row, Turned>(request, knobs)
                                     : with_bits<T, fastest::column, Turned>(request, knobs);
}

/// Calls f.template operator()<T>() for the problem's type.
template <class F>
auto with_type(const Problem& problem, F f) {
  return problem.type() == ElementType::f32 ? f.template operator()<float>() : f.template operator()<double>();
}

std::unique_ptr<PreparedCallable> prepare_mdrange(const CallableRequest& request, const mdrange_knobs& knobs) {
  return with_type(request.problem, [&]<class T>() {
    return transposes(request.problem) ? with_index<T, true>(request, knobs) : with_index<T, false>(request, knobs);
  });
}

struct team_knobs {
  int tile = 32;
  int team_size = 0;  ///< 0: Kokkos::AUTO
  int vector_length = 32;
};

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("tile", &team_knobs::tile, {16, 32, 64})
      .axis("team_size", &team_knobs::team_size, {0, 4, 8, 16, 32, 64})
      .axis("vector_length", &team_knobs::vector_length, {8, 16, 32})
      .require("threads per block", [](const team_knobs& k) { return k.team_size * k.vector_length <= 1024; });
  return space;
}

/// One tile: rows of in go to scratch memory, its columns to rows of out. Scratch rows have one element more than the
/// tile, against bank conflicts.
template <class T>
struct TileBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Scratch = Kokkos::View<T**, Kokkos::LayoutRight, typename KokkosSpace::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  KokkosView<const T**> in;
  KokkosView<T**> out;
  std::int64_t rows, columns;
  int tile;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t across = (columns + tile - 1) / tile;
    const std::int64_t row = member.league_rank() / across * tile;
    const std::int64_t column = member.league_rank() % across * tile;
    const int height = static_cast<int>(rows - row < tile ? rows - row : tile);
    const int width = static_cast<int>(columns - column < tile ? columns - column : tile);
    const Scratch block(member.team_scratch(0), tile, tile + 1);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, height), [&](const int i) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, width),
                           [&](const int j) { block(i, j) = in(row + i, column + j); });
    });
    member.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, width), [&](const int j) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, height),
                           [&](const int i) { out(column + j, row + i) = block(i, j); });
    });
  }
};

template <class T>
std::unique_ptr<PreparedCallable> prepared_team(const CallableRequest& request, const team_knobs& knobs) {
  const std::int64_t rows = request.problem.shape[0];
  const std::int64_t columns = request.problem.shape[1];
  const std::int64_t tiles = (rows + knobs.tile - 1) / knobs.tile * ((columns + knobs.tile - 1) / knobs.tile);
  if (tiles > std::numeric_limits<int>::max()) throw CallableRefusal(std::to_string(tiles) + " teams");
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const auto side = static_cast<std::size_t>(knobs.tile);
  const auto scratch = TileBody<T>::Scratch::shmem_size(side, side + 1);
  const TileBody<T> unbound{{}, {}, rows, columns, knobs.tile};
  const auto policy = baselines::team_policy(space, static_cast<int>(tiles), knobs.team_size, knobs.vector_length,
                                             scratch, unbound, Kokkos::ParallelForTag());
  return make_prepared([policy, unbound](Stream, const CallableBuffers& buffers) {
    const Matrices<T> matrices(buffers, static_cast<std::size_t>(unbound.rows),
                               static_cast<std::size_t>(unbound.columns), true);
    TileBody<T> body = unbound;
    body.in = matrices.in;
    body.out = matrices.out;
    Kokkos::parallel_for("transpose", policy, body);
  });
}

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  return with_type(request.problem, [&]<class T>() { return prepared_team<T>(request, knobs); });
}

std::unique_ptr<PreparedCallable> prepare_copy(const CallableRequest& request) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_type(request.problem, [&]<class T>() {
    return make_prepared(
        [space, rows = static_cast<std::size_t>(request.problem.shape[0]),
         columns = static_cast<std::size_t>(request.problem.shape[1])](Stream, const CallableBuffers& buffers) {
          const Matrices<T> matrices(buffers, rows, columns, false);
          Kokkos::deep_copy(space, matrices.out, matrices.in);
        });
  });
}

bool is_matrix(const Problem& problem) {
  return is_floating(problem.type()) && problem.elements() > 0;
}

}  // namespace

std::vector<Callable> transpose_kokkos() {
  return {baselines::kokkos_port({.pattern = "transpose", .supports = is_matrix}, "mdrange", prepare_mdrange,
                                 mdrange_space()),
          baselines::kokkos_port(
              {.pattern = "transpose",
               .supports = [](const Problem& problem) { return is_matrix(problem) && transposes(problem); }},
              "team_scratch", prepare_team, team_space()),
          baselines::kokkos_port(
              {.pattern = "transpose",
               .supports = [](const Problem& problem) { return is_matrix(problem) && !transposes(problem); }},
              "deep_copy", prepare_copy)};
}

}  // namespace warpwright::transpose
