// Histograms of tiles in Kokkos: one team per tile, counting in scratch memory, and plain atomics over all pixels.
#include <limits>

#include "kernels/block/binning.cuh"
#include "kernels/image_histogram/tiling.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::image_histogram {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

/// Calls f(Key()) with the problem's type of keys.
template <class F>
auto with_key(const Problem& problem, F f) {
  return with_type_of<std::uint8_t, std::uint16_t, std::uint32_t, float>(problem.type(), f);
}

template <class Key>
struct Operands {
  tiling tiles;
  block::binning<Key, false> ranges;
  KokkosView<const Key**> in;
  KokkosView<unsigned**> out;  ///< tile, bin

  explicit Operands(const Problem& problem)
      : tiles(tiling_of(problem)), ranges{static_cast<unsigned>(problem.integer("bins"))} {}

  Operands bound_to(const CallableBuffers& buffers) const {
    Operands bound = *this;
    bound.in = KokkosView<const Key**>(static_cast<const Key*>(buffers.at("in")), static_cast<std::size_t>(tiles.rows),
                                       static_cast<std::size_t>(tiles.columns));
    bound.out = KokkosView<unsigned**>(static_cast<unsigned*>(buffers.at("out")), static_cast<std::size_t>(tiles.tiles),
                                       ranges.bins);
    return bound;
  }
};

struct team_knobs {
  int team_size = 0;      ///< 0: Kokkos::AUTO
  int vector_length = 1;  ///< lanes along a row of the tile
};

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("team_size", &team_knobs::team_size, {0, 4, 8, 16, 32, 64, 128, 256})
      .axis("vector_length", &team_knobs::vector_length, {1, 8, 32})
      .require("at most 1024 threads",
               [](const team_knobs& knobs) { return knobs.team_size * knobs.vector_length <= 1024; });
  return space;
}

template <class Key>
struct TeamBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Scratch = Kokkos::View<unsigned*, KokkosSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Operands<Key> of;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int tile = member.league_rank();
    const tile_bounds bounds = bounds_of(of.tiles, tile);
    const unsigned bins = of.ranges.bins;
    const Scratch counts(member.team_scratch(0), bins);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member, bins), [&](const unsigned bin) { counts(bin) = 0; });
    member.team_barrier();
    const auto rows = static_cast<int>(bounds.bottom - bounds.top);
    const auto columns = static_cast<int>(bounds.right - bounds.left);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, rows), [&](const int row) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, columns), [&](const int column) {
        const unsigned bin = of.ranges.of(of.in(bounds.top + row, bounds.left + column));
        if (of.ranges.has(bin)) Kokkos::atomic_add(&counts(bin), 1U);
      });
    });
    member.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member, bins),
                         [&](const unsigned bin) { of.out(tile, bin) = counts(bin); });
  }
};

template <class Key>
std::unique_ptr<PreparedCallable> prepared_team(const CallableRequest& request, const team_knobs& knobs) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const TeamBody<Key> unbound{Operands<Key>(request.problem)};
  if (unbound.of.tiles.tiles > std::numeric_limits<int>::max()) throw CallableRefusal("a league has 2^31 - 1 teams");
  const auto policy = baselines::team_policy(
      space, static_cast<int>(unbound.of.tiles.tiles), knobs.team_size, knobs.vector_length,
      TeamBody<Key>::Scratch::shmem_size(unbound.of.ranges.bins), unbound, Kokkos::ParallelForTag());
  return make_prepared([policy, unbound](Stream, const CallableBuffers& buffers) {
    Kokkos::parallel_for("image_histogram", policy, TeamBody<Key>{unbound.of.bound_to(buffers)});
  });
}

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  return with_key(request.problem, [&]<class Key>(Key) { return prepared_team<Key>(request, knobs); });
}

struct mdrange_knobs {
  int tile_first = 0;  ///< columns; 0: Kokkos' default
  int tile_second = 0;
};

SpaceOf<mdrange_knobs> mdrange_space() {
  SpaceOf<mdrange_knobs> space;
  space.axis("tile_first", &mdrange_knobs::tile_first, {0, 32, 64, 128})
      .axis("tile_second", &mdrange_knobs::tile_second, {0, 1, 4, 8});
  baselines::require_launchable_tiles(space);
  return space;
}

template <class Key>
struct AtomicBody {
  Operands<Key> of;

  template <class Index>
  KOKKOS_INLINE_FUNCTION void operator()(const Index column, const Index row) const {
    const unsigned bin = of.ranges.of(of.in(row, column));
    const auto tile = row / of.tiles.tile_rows * of.tiles.tiles_across + column / of.tiles.tile_columns;
    if (of.ranges.has(bin)) Kokkos::atomic_add(&of.out(tile, bin), 1U);
  }
};

template <class Key>
std::unique_ptr<PreparedCallable> prepared_mdrange(const CallableRequest& request, const mdrange_knobs& knobs) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const Operands<Key> unbound(request.problem);
  const auto policy = baselines::kokkos_plane<baselines::KokkosPlane<0>>(
      space, unbound.tiles.columns, unbound.tiles.rows, knobs.tile_first, knobs.tile_second);
  return make_prepared([space, policy, unbound](Stream, const CallableBuffers& buffers) {
    const AtomicBody<Key> body{unbound.bound_to(buffers)};
    Kokkos::deep_copy(space, body.of.out, 0U);
    Kokkos::parallel_for("image_histogram", policy, body);
  });
}

std::unique_ptr<PreparedCallable> prepare_mdrange(const CallableRequest& request, const mdrange_knobs& knobs) {
  return with_key(request.problem, [&]<class Key>(Key) { return prepared_mdrange<Key>(request, knobs); });
}

/// An empty image has no tiles, and a league of zero teams cannot be launched.
bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  return problem.elements() > 0 &&
         (type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32 || type == ElementType::f32);
}

}  // namespace

std::vector<Callable> image_histogram_kokkos() {
  const Callable port{
      .pattern = "image_histogram", .laws = {"sum", "transposition", "stacking", "covering"}, .supports = supports};
  return {baselines::kokkos_port(port, "team_scratch", prepare_team, team_space()),
          baselines::kokkos_port(port, "atomics", prepare_mdrange, mdrange_space())};
}

}  // namespace warpwright::image_histogram
