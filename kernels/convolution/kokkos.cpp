// The convolution in Kokkos: parallel_for over pixels, each of which sums its taps, and teams that keep a tile of
// pixels in scratch memory and whose threads have several sums.
#include <algorithm>
#include <limits>

#include "kernels/convolution/plans.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::convolution {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

/// The images and the filter of a problem. `Clamps`: pixels beyond the border are those nearest to them; else zero.
template <class T, class Index, bool Clamps>
struct Images {
  using IndexType = Index;
  KokkosView<const T**> image, filter;
  KokkosView<T**> out;

  Images() = default;
  Images(const Problem& problem, const CallableBuffers& buffers)
      : image(static_cast<const T*>(buffers.at("image")), size(problem.shape[0]), size(problem.shape[1])),
        filter(static_cast<const T*>(buffers.at("filter")), size(problem.integer("filter")),
               size(problem.integer("filter"))),
        out(static_cast<T*>(buffers.at("out")), size(problem.shape[0]), size(problem.shape[1])) {}

  static std::size_t size(std::int64_t extent) { return static_cast<std::size_t>(extent); }
  KOKKOS_INLINE_FUNCTION Index rows() const { return static_cast<Index>(image.extent(0)); }
  KOKKOS_INLINE_FUNCTION Index columns() const { return static_cast<Index>(image.extent(1)); }
  KOKKOS_INLINE_FUNCTION static bool has(const Index at, const Index extent) {
    return Clamps || (at >= 0 && at < extent);
  }
  KOKKOS_INLINE_FUNCTION static Index nearest(const Index at, const Index extent) {
    return at < 0 ? 0 : (at < extent ? at : extent - 1);
  }
};

/// Calls f.template operator()<T, Bits, Images<T, Index, Clamps>>() for a problem, with indices of one of these
/// types.
template <class IndexBits, class F>
auto with_images(const Problem& problem, int index_bits, F f) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return baselines::with_choice(IndexBits(), index_bits, [&]<int Bits>(std::integral_constant<int, Bits>) {
      using Index = baselines::KokkosIndex<baselines::KokkosPlane<Bits>>;
      // A window may reach over the border by half a filter, and a tile by its size.
      constexpr std::int64_t kTile = 1024;
      (void)baselines::kokkos_extent<Index>(std::max(problem.shape[0], problem.shape[1]),
                                            problem.integer("filter") + kTile);
      return clamps(problem) ? f.template operator()<T, Bits, Images<T, Index, true>>()
                             : f.template operator()<T, Bits, Images<T, Index, false>>();
    });
  });
}

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
template <class T, class Index, class Operands>
struct PixelBody {
  Operands of;

  KOKKOS_INLINE_FUNCTION void operator()(const Index column, const Index row) const {
    const auto size = static_cast<Index>(of.filter.extent(0));
    T sum = 0;
    for (Index i = 0; i < size; ++i) {
      const Index from_row = row + i - size / 2;
      if (!of.has(from_row, of.rows())) continue;
      for (Index j = 0; j < size; ++j) {
        const Index from_column = column + j - size / 2;
        if (of.has(from_column, of.columns()))
          sum += of.filter(i, j) * of.image(of.nearest(from_row, of.rows()), of.nearest(from_column, of.columns()));
      }
    }
    of.out(row, column) = sum;
  }
};

std::unique_ptr<PreparedCallable> prepare_mdrange(const CallableRequest& request, const mdrange_knobs& knobs) {
  const Problem problem = request.problem;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return with_images<baselines::KokkosIndexBits>(problem, knobs.index_bits, [&]<class T, int Bits, class Operands>() {
    using Plane = baselines::KokkosPlane<Bits>;
    const auto policy =
        baselines::kokkos_plane<Plane>(space, problem.shape[1], problem.shape[0], knobs.tile_first, knobs.tile_second);
    return make_prepared([policy, problem](Stream, const CallableBuffers& buffers) {
      Kokkos::parallel_for("convolution", policy,
                           PixelBody<T, baselines::KokkosIndex<Plane>, Operands>{Operands(problem, buffers)});
    });
  });
}

struct team_knobs {
  int team_size = 256;
  int sums = 4;  ///< of a thread, one below the other
};

/// Sums per thread, and sizes of filters, that the port is compiled for. 0: any size, with loops that are not unrolled.
using Sums = baselines::Choices<4, 8>;
using FilterSizes = baselines::Choices<0, 3, 5, 9, 17>;

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("team_size", &team_knobs::team_size, {128, 256, 512}).axis("sums", &team_knobs::sums, {4, 8});
  return space;
}

/// A team has a tile of the result that is a warp wide. It loads the pixels for it into scratch memory, then the
/// filter. A thread keeps a column of sums and one of the filter in registers.
template <class T, class Operands, int Sums, int Size>
struct TileBody {
  static constexpr int kWidth = 32;
  static constexpr int kSums = Sums;
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Scratch = Kokkos::View<T**, Kokkos::LayoutRight, typename KokkosSpace::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Operands of;
  int height, filter;  ///< of the tile; the size of the filter

  KOKKOS_INLINE_FUNCTION int size() const { return Size > 0 ? Size : filter; }
  std::size_t scratch_bytes() const {
    const auto around = static_cast<std::size_t>(filter - 1);
    return Scratch::shmem_size(static_cast<std::size_t>(height) + around, kWidth + around) +
           Scratch::shmem_size(static_cast<std::size_t>(filter), static_cast<std::size_t>(filter));
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    using Index = typename Operands::IndexType;
    const Index across = (of.columns() + kWidth - 1) / kWidth;
    const Index top = member.league_rank() / across * height;
    const Index left = member.league_rank() % across * kWidth;
    const int wide = kWidth + size() - 1;
    const Scratch pixels(member.team_scratch(0), height + size() - 1, wide);
    const Scratch taps(member.team_scratch(0), size(), size());
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, (height + size() - 1) * wide), [&](const int at) {
      const Index row = top + at / wide - size() / 2;
      const Index column = left + at % wide - size() / 2;
      pixels(at / wide, at % wide) = of.has(row, of.rows()) && of.has(column, of.columns())
                                         ? of.image(of.nearest(row, of.rows()), of.nearest(column, of.columns()))
                                         : T(0);
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, size() * size()),
                         [&](const int at) { taps(at / size(), at % size()) = of.filter(at / size(), at % size()); });
    member.team_barrier();
    for (int thread = member.team_rank(); thread < height / Sums * kWidth; thread += member.team_size()) {
      const int down = thread / kWidth * Sums;
      const int right = thread % kWidth;
      T sums[Sums] = {};
      for (int j = 0; j < size(); ++j) add_column(sums, pixels, taps, down, right, j);
      for (int s = 0; s < Sums; ++s)
        if (top + down + s < of.rows() && left + right < of.columns()) of.out(top + down + s, left + right) = sums[s];
    }
  }

  /// Adds the products with column j of the filter. With a size that the compiler knows, a pixel is read once for all
  /// sums.
  KOKKOS_INLINE_FUNCTION void add_column(T (&sums)[Sums], const Scratch& pixels, const Scratch& taps, const int down,
                                         const int right, const int j) const {
    if constexpr (Size > 0) {
      T column[Size];
      for (int i = 0; i < Size; ++i) column[i] = taps(i, j);
      for (int i = 0; i < Size + Sums - 1; ++i) {
        const T pixel = pixels(down + i, right + j);
        for (int s = 0; s < Sums; ++s)
          if (i - s >= 0 && i - s < Size) sums[s] += column[i - s] * pixel;
      }
    } else {
      for (int i = 0; i < filter; ++i) {
        const T tap = taps(i, j);
        for (int s = 0; s < Sums; ++s) sums[s] += tap * pixels(down + s + i, right + j);
      }
    }
  }
};

template <class Body>
std::unique_ptr<PreparedCallable> prepared_team(const Problem& problem, const KokkosSpace& space, int height) {
  const auto filter = static_cast<int>(problem.integer("filter"));
  const std::int64_t tiles =
      (problem.shape[0] + height - 1) / height * ((problem.shape[1] + Body::kWidth - 1) / Body::kWidth);
  if (tiles > std::numeric_limits<int>::max()) throw CallableRefusal(std::to_string(tiles) + " teams");
  const Body unbound{{}, height, filter};
  const auto policy = baselines::team_policy_of(space, static_cast<int>(tiles), height / Body::kSums * Body::kWidth,
                                                unbound.scratch_bytes(), unbound, Kokkos::ParallelForTag());
  return make_prepared([policy, problem, unbound](Stream, const CallableBuffers& buffers) {
    Body body = unbound;
    body.of = decltype(body.of)(problem, buffers);
    Kokkos::parallel_for("convolution", policy, body);
  });
}

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  const Problem problem = request.problem;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const auto filter = static_cast<int>(problem.integer("filter"));
  const std::vector<int> known = baselines::values_of(FilterSizes());
  const int compiled = std::ranges::find(known, filter) == known.end() ? 0 : filter;
  return with_images<baselines::Choices<0>>(problem, 0, [&]<class T, int, class Operands>() {
    return baselines::with_choice(Sums(), knobs.sums, [&]<int Each>(std::integral_constant<int, Each>) {
      return baselines::with_choice(FilterSizes(), compiled, [&]<int Size>(std::integral_constant<int, Size>) {
        using Body = TileBody<T, Operands, Each, Size>;
        return prepared_team<Body>(problem, space, knobs.team_size / Body::kWidth * Each);
      });
    });
  });
}

}  // namespace

std::vector<Callable> convolution_kokkos() {
  const Callable port{
      .pattern = "convolution",
      .supports = [](const Problem& problem) { return problem.elements() > 0; },
      .depth = [](const Problem& problem, const Point&, const Device&) { return static_cast<double>(taps(problem)); }};
  return {baselines::kokkos_port(port, "mdrange", prepare_mdrange, mdrange_space()),
          baselines::kokkos_port(port, "team_columns", prepare_team, team_space())};
}

}  // namespace warpwright::convolution
