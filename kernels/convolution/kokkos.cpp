// The convolution in Kokkos: parallel_for over pixels; each sums its taps.
#include <limits>

#include "kernels/convolution/plans.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::convolution {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

struct mdrange_knobs {
  int tile_first = 0;  ///< columns; 0: Kokkos' default
  int tile_second = 0;
  int index_bits = 64;
  int max_threads = 0;  ///< LaunchBounds; 0: none
};

SpaceOf<mdrange_knobs> mdrange_space() {
  SpaceOf<mdrange_knobs> space;
  space.axis("tile_first", &mdrange_knobs::tile_first, {0, 8, 16, 32, 64, 128})
      .axis("tile_second", &mdrange_knobs::tile_second, {0, 1, 2, 4, 8, 16})
      .axis("index_bits", &mdrange_knobs::index_bits, {64, 32})
      .axis("max_threads", &mdrange_knobs::max_threads, {0, 256});
  baselines::require_launchable_tiles(space);
  return space;
}

/// Called with the column first.
template <class T, class Index, bool Clamps>
struct PixelBody {
  KokkosView<const T**> image;
  KokkosView<const T**> filter;
  KokkosView<T**> out;

  KOKKOS_INLINE_FUNCTION static bool has_pixel(const Index at, const Index extent) {
    return Clamps || (at >= 0 && at < extent);
  }
  KOKKOS_INLINE_FUNCTION static Index nearest(const Index at, const Index extent) {
    return at < 0 ? 0 : (at < extent ? at : extent - 1);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Index column, const Index row) const {
    const auto rows = static_cast<Index>(image.extent(0));
    const auto columns = static_cast<Index>(image.extent(1));
    const auto size = static_cast<Index>(filter.extent(0));
    T sum = 0;
    for (Index i = 0; i < size; ++i) {
      const Index from_row = row + i - size / 2;
      if (!has_pixel(from_row, rows)) continue;
      for (Index j = 0; j < size; ++j) {
        const Index from_column = column + j - size / 2;
        if (has_pixel(from_column, columns))
          sum += filter(i, j) * image(nearest(from_row, rows), nearest(from_column, columns));
      }
    }
    out(row, column) = sum;
  }
};

template <class T, class Index, bool Clamps, unsigned MaxThreads>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request, const mdrange_knobs& knobs) {
  using Policy =
      Kokkos::MDRangePolicy<KokkosSpace, Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                            Kokkos::IndexType<Index>, Kokkos::LaunchBounds<MaxThreads, MaxThreads == 0 ? 0 : 1>>;
  const std::int64_t rows = request.problem.shape[0];
  const std::int64_t columns = request.problem.shape[1];
  const Kokkos::Array<std::int64_t, 2> begin{{0, 0}};
  const Kokkos::Array<std::int64_t, 2> end{{columns, rows}};
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const Policy policy =
      knobs.tile_first == 0
          ? Policy(space, begin, end)
          : Policy(space, begin, end, Kokkos::Array<std::int64_t, 2>{{knobs.tile_first, knobs.tile_second}});
  return make_prepared(
      [policy, rows = static_cast<std::size_t>(rows), columns = static_cast<std::size_t>(columns),
       size = static_cast<std::size_t>(request.problem.integer("filter"))](Stream, const CallableBuffers& buffers) {
        const KokkosView<const T**> image(static_cast<const T*>(buffers.at("image")), rows, columns);
        const KokkosView<const T**> filter(static_cast<const T*>(buffers.at("filter")), size, size);
        const KokkosView<T**> out(static_cast<T*>(buffers.at("out")), rows, columns);
        Kokkos::parallel_for("convolution", policy, PixelBody<T, Index, Clamps>{image, filter, out});
      });
}

template <class T, class Index, bool Clamps>
std::unique_ptr<PreparedCallable> with_bounds(const CallableRequest& request, const mdrange_knobs& knobs) {
  return knobs.max_threads == 0 ? prepared<T, Index, Clamps, 0>(request, knobs)
                                : prepared<T, Index, Clamps, 256>(request, knobs);
}

template <class T, class Index>
std::unique_ptr<PreparedCallable> with_border(const CallableRequest& request, const mdrange_knobs& knobs) {
  return clamps(request.problem) ? with_bounds<T, Index, true>(request, knobs)
                                 : with_bounds<T, Index, false>(request, knobs);
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request, const mdrange_knobs& knobs) {
  // A window may reach over the border by half a filter.
  const std::int64_t highest = std::numeric_limits<int>::max() - request.problem.integer("filter");
  if (knobs.index_bits == 32 && (request.problem.shape[0] > highest || request.problem.shape[1] > highest))
    throw CallableRefusal("indices of 32 bits do not reach over the image");
  return with_type_of<float, double>(request.problem.type(), [&]<class T>(T) {
    return knobs.index_bits == 32 ? with_border<T, int>(request, knobs) : with_border<T, std::int64_t>(request, knobs);
  });
}

}  // namespace

std::vector<Callable> convolution_kokkos() {
  return {baselines::kokkos_port(
      {.pattern = "convolution",
       .supports = [](const Problem& problem) { return problem.elements() > 0; },
       .depth = [](const Problem& problem, const Point&, const Device&) { return static_cast<double>(taps(problem)); }},
      "mdrange", prepare, mdrange_space())};
}

}  // namespace warpwright::convolution
