// Policies over ranges and planes in Kokkos, with the knobs that users of Kokkos tune. Each knob changes the launch or
// the program on CUDA; the files of Kokkos 5.0.2 that show it:
// - The type of indices: also that of a body's loop, Kokkos_Cuda_Parallel_Range.hpp (member_type). Kokkos' default is
//   `unsigned` (size_type in Kokkos_CudaSpace.hpp).
// - LaunchBounds: a parallel_for takes the smallest block of at least 128 threads with the highest occupancy
//   (cuda_deduce_block_size in Kokkos_Cuda_BlockSize_Deduction.hpp). Registers are handed out to four warps at a time,
//   so that is always 128, and only smaller bounds change it. A parallel_scan begins at 128 threads and a
//   parallel_reduce at 256 (local_block_size), so there bounds below these change the launch.
// - StaticBatchSize: indices per thread of a parallel_for, one grid apart, and a grid that is as much smaller.
// - Tiles of an MDRangePolicy and sizes of teams and vectors: the block's extents (Kokkos_Cuda_Parallel_MDRange.hpp,
//   Kokkos_Cuda_Parallel_Team.hpp).
// The chunk size of a range is no knob: a parallel_for on CUDA never reads it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "kernels/model/space.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"

namespace warpwright::baselines {

/// The values of a knob, the default first.
template <int... Values>
using Choices = std::integer_sequence<int, Values...>;

/// Values of the knob index_bits: 0 is Kokkos' default type.
using KokkosIndexBits = Choices<0, 64>;
#if KOKKOS_VERSION >= 50000
using KokkosBatches = Choices<1, 2, 4, 8>;
#else
using KokkosBatches = Choices<1>;
#endif

namespace detail {

/// Properties of an execution policy.
template <class... Properties>
struct PolicyOf {
  using Range = Kokkos::RangePolicy<KokkosSpace, Properties...>;
  using Plane = Kokkos::MDRangePolicy<KokkosSpace, Kokkos::Rank<2>, Properties...>;
  template <bool IsGiven, class Property>
  using With = std::conditional_t<IsGiven, PolicyOf<Properties..., Property>, PolicyOf<Properties...>>;
};

template <int Bits>
using WithIndex = typename PolicyOf<>::template With<Bits != 0, Kokkos::IndexType<std::int64_t>>;

#if KOKKOS_VERSION >= 50000
template <class Policy, int Batch>
using WithBatch = typename Policy::template With<Batch != 1, Kokkos::Experimental::StaticBatchSize<Batch>>;
#else
template <class Policy, int Batch>
using WithBatch = Policy;
#endif

}  // namespace detail

/// The signed type of a policy's indices; bodies take these.
template <class Policy>
using KokkosIndex = std::make_signed_t<typename Policy::index_type>;

/// The number of elements as an index; throws CallableRefusal if the type cannot hold it and `beyond` more.
template <class Index>
Index kokkos_extent(std::int64_t elements, std::int64_t beyond = 0) {
  if (elements > std::numeric_limits<Index>::max() - beyond)
    throw CallableRefusal("indices of " + std::to_string(8 * sizeof(Index)) + " bits do not reach all elements");
  return static_cast<Index>(elements);
}

struct KokkosRangeKnobs {
  int index_bits = 0;   ///< 0: Kokkos' default; or 64
  int max_threads = 0;  ///< LaunchBounds; 0: none
  int items = 1;        ///< neighbouring elements per index
  int batch = 1;        ///< StaticBatchSize
};

/// Template parameters of a range.
template <int Bits, unsigned MaxThreads = 0, int Items = 1, int Batch = 1>
struct KokkosRange {
  static_assert(MaxThreads <= 128, "larger bounds change no launch");
  using Bounded = typename detail::WithIndex<Bits>::template With<MaxThreads != 0, Kokkos::LaunchBounds<MaxThreads, 1>>;
  using Policy = typename detail::WithBatch<Bounded, Batch>::Range;
  using Index = KokkosIndex<Policy>;
  static constexpr int items = Items;

  static Index count(std::int64_t elements) { return kokkos_extent<Index>(elements, Items); }

  static Policy policy(const KokkosSpace& space, Index elements) {
    return Policy(space, 0, (elements + (Items - 1)) / Items);
  }
};

/// Calls f(KokkosRange<...>()) with Kokkos' default type of indices, or with 64 bits if that does not reach `elements`.
template <class F>
auto with_range_over(std::int64_t elements, F f) {
  using Default = KokkosRange<0>;
  return elements < std::numeric_limits<typename Default::Index>::max() ? f(Default()) : f(KokkosRange<64>());
}

/// A policy over pairs of indices. Kokkos' default on CUDA lets the first one run fastest over the threads of a tile.
template <int Bits>
using KokkosPlane = typename detail::WithIndex<Bits>::Plane;

/// The policy over `first` x `second` indices, in tiles of that size; 0: Kokkos' default.
template <class Plane>
Plane kokkos_plane(const KokkosSpace& space, std::int64_t first, std::int64_t second, int tile_first, int tile_second) {
  using Pair = Kokkos::Array<std::int64_t, 2>;
  (void)kokkos_extent<KokkosIndex<Plane>>(std::max(first, second));
  const Pair begin{{0, 0}};
  const Pair end{{first, second}};
  return tile_first == 0 ? Plane(space, begin, end) : Plane(space, begin, end, Pair{{tile_first, tile_second}});
}

template <int... Values>
std::vector<int> values_of(Choices<Values...>) {
  return {Values...};
}

/// Calls f(std::integral_constant<int, V>()) with the choice that equals `value`.
template <int First, int... Rest, class F>
auto with_choice(Choices<First, Rest...>, int value, F f) {
  if constexpr (sizeof...(Rest) == 0) {
    if (value != First) throw std::invalid_argument("no choice is " + std::to_string(value));
    return f(std::integral_constant<int, First>());
  } else {
    return value == First ? f(std::integral_constant<int, First>()) : with_choice(Choices<Rest...>(), value, f);
  }
}

/// Ranges of both index types, with these choices of the other knobs. A knob with one value is no axis.
template <class MaxThreads = Choices<0>, class Items = Choices<1>, class Batches = Choices<1>>
struct KokkosRanges {
  using Knobs = KokkosRangeKnobs;

  static SpaceOf<Knobs> space() {
    SpaceOf<Knobs> space;
    const auto axis = [&](const char* name, int Knobs::*knob, const std::vector<int>& values) {
      if (values.size() > 1) space.axis(name, knob, values);
    };
    axis("index_bits", &Knobs::index_bits, values_of(KokkosIndexBits()));
    axis("max_threads", &Knobs::max_threads, values_of(MaxThreads()));
    axis("items", &Knobs::items, values_of(Items()));
    axis("batch", &Knobs::batch, values_of(Batches()));
    return space;
  }

  /// Calls f(KokkosRange<...>()) with the template parameters for those knobs.
  template <class F>
  static auto with(const Point& point, F f) {
    const Knobs knobs = space().params(point);
    return with_choice(KokkosIndexBits(), knobs.index_bits, [&]<int Bits>(std::integral_constant<int, Bits>) {
      return with_choice(MaxThreads(), knobs.max_threads, [&]<int Threads>(std::integral_constant<int, Threads>) {
        return with_choice(Items(), knobs.items, [&]<int Each>(std::integral_constant<int, Each>) {
          return with_choice(Batches(), knobs.batch, [&]<int Batch>(std::integral_constant<int, Batch>) {
            return f(KokkosRange<Bits, Threads, Each, Batch>());
          });
        });
      });
    });
  }
};

}  // namespace warpwright::baselines
