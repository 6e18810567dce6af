// Ranges in Kokkos, with the knobs that users of Kokkos tune.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/model/space.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"

namespace warpwright::baselines {

struct KokkosRangeKnobs {
  int index_bits = 64;  ///< or 32, if the extent allows it
  int max_threads = 0;  ///< LaunchBounds; 0: none
  int items = 1;        ///< neighbouring elements per index
};

/// Template parameters of a range.
template <class IndexType, unsigned MaxThreads, int Items>
struct KokkosRange {
  using Index = IndexType;
  using Policy = Kokkos::RangePolicy<KokkosSpace, Kokkos::IndexType<Index>,
                                     Kokkos::LaunchBounds<MaxThreads, MaxThreads == 0 ? 0 : 1>>;
  static constexpr int items = Items;

  /// The number of elements as an index; throws CallableRefusal if the type cannot hold it.
  static Index count(std::int64_t elements) {
    if (elements > std::numeric_limits<Index>::max() - Items)
      throw CallableRefusal("indices of " + std::to_string(8 * sizeof(Index)) + " bits do not reach all elements");
    return static_cast<Index>(elements);
  }

  static Policy policy(const KokkosSpace& space, Index elements) {
    return Policy(space, 0, (elements + (Items - 1)) / Items);
  }
};

/// The values of a knob, the default first.
template <int... Values>
using Choices = std::integer_sequence<int, Values...>;

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

/// Ranges of both index types, with these choices of threads per block and of items.
template <class MaxThreads, class Items>
struct KokkosRanges {
  using Knobs = KokkosRangeKnobs;

  static SpaceOf<Knobs> space() {
    SpaceOf<Knobs> space;
    space.axis("index_bits", &Knobs::index_bits, {64, 32})
        .axis("max_threads", &Knobs::max_threads, values_of(MaxThreads()))
        .axis("items", &Knobs::items, values_of(Items()));
    return space;
  }

  /// Calls f(KokkosRange<...>()) with the template parameters for those knobs.
  template <class F>
  static auto with(const Point& point, F f) {
    const Knobs knobs = space().params(point);
    return with_choice(MaxThreads(), knobs.max_threads, [&]<int Threads>(std::integral_constant<int, Threads>) {
      return with_choice(Items(), knobs.items, [&]<int Each>(std::integral_constant<int, Each>) {
        return knobs.index_bits == 32 ? f(KokkosRange<std::int32_t, Threads, Each>())
                                      : f(KokkosRange<std::int64_t, Threads, Each>());
      });
    });
  }
};

}  // namespace warpwright::baselines
