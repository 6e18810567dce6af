// Cell lists in Kokkos, for ports that search for near bodies. parallel_for counts the bodies of each cell,
// parallel_scan sums the counts, another parallel_for sorts the bodies. A walk then visits the cells around one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/model/space.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"

namespace warpwright::baselines {

struct KokkosCellKnobs {
  int max_threads = 0;       ///< LaunchBounds of the walk; 0: none
  int cells_per_cutoff = 1;  ///< cells are as wide as the cutoff, or half of it
};

/// The launch bounds that walks are compiled for.
using KokkosCellThreads = Choices<0, 64>;

template <class Knobs>
SpaceOf<Knobs> kokkos_cell_space() {
  SpaceOf<Knobs> space;
  space.axis("max_threads", &Knobs::max_threads, values_of(KokkosCellThreads()))
      .axis("cells_per_cutoff", &Knobs::cells_per_cutoff, {1, 2});
  return space;
}

/// Bodies, and cells (up to four for each body), have int indices.
inline constexpr std::int64_t most_bodies_in_kokkos_cells = std::int64_t{1} << 28;

/// Cells of equal width along each of the `Dim` axes fill the box; bodies are sorted by cell. Positions are (axis,
/// body). A body outside a periodic box is put at its image within it; a body outside a box that is not periodic is put
/// in the last cells.
template <class T, int Dim, bool Periodic>
class KokkosCells {
 public:
  using Positions = KokkosView<const T**>;

  /// Cells are at least cutoff / cells_per_cutoff wide, with a small margin for rounding, and there are at most four
  /// for each body.
  KokkosCells(int bodies, double side, double cutoff, int cells_per_cutoff)
      : bodies_(bodies), reach_(cells_per_cutoff), inverse_side_(static_cast<T>(1 / side)) {
    constexpr double kWider = 1.001, kCellsOfABody = 4;
    const double by_cutoff = side * cells_per_cutoff / (cutoff * kWider);
    const double by_bodies = std::pow(kCellsOfABody * bodies, 1.0 / Dim);
    cells_ = static_cast<int>(std::max(std::min(by_cutoff, by_bodies), 1.0));
    int all = 1;
    for (int axis = 0; axis < Dim; ++axis) all *= cells_;
    starts_ = Ints("starts", static_cast<std::size_t>(all) + 1);
    rank_ = Ints("rank", static_cast<std::size_t>(bodies));
    order_ = Ints("order", static_cast<std::size_t>(bodies));
    sorted_ = Kokkos::View<T**, Kokkos::LayoutRight, KokkosMemory>("sorted", Dim, static_cast<std::size_t>(bodies));
    gathered_ = sorted_;
  }

  /// Sorts the bodies; allocates nothing.
  void sort(const KokkosSpace& space, const Positions& positions) {
    positions_ = positions;
    Kokkos::deep_copy(space, starts_, 0);
    Kokkos::parallel_for("count_cells", Kokkos::RangePolicy<KokkosSpace, Count>(space, 0, bodies_), *this);
    Kokkos::parallel_scan(
        "start_cells", Kokkos::RangePolicy<KokkosSpace, Start>(space, 0, static_cast<int>(starts_.extent(0))), *this);
    Kokkos::parallel_for("fill_cells", Kokkos::RangePolicy<KokkosSpace, Fill>(space, 0, bodies_), *this);
  }

  KOKKOS_INLINE_FUNCTION int body_at(int place) const { return order_(place); }
  /// A coordinate of the body at that index of the sorted order.
  KOKKOS_INLINE_FUNCTION T coordinate(int axis, int place) const { return gathered_(axis, place); }

  /// Calls visit(place) for every body in the cells around the one at `place`, including that body.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_around(int place, const Visit& visit) const {
    int first[3] = {}, count[3] = {1, 1, 1};
    for (int axis = 0; axis < Dim; ++axis) {
      const int cell = along(coordinate(axis, place));
      if (Periodic) {
        first[axis] = (cell + cells_ * reach_ - reach_) % cells_;
        count[axis] = least(2 * reach_ + 1, cells_);
      } else {
        first[axis] = greatest(cell - reach_, 0);
        count[axis] = least(cell + reach_, cells_ - 1) - first[axis] + 1;
      }
    }
    for (int z = 0; z < count[2]; ++z)
      for (int y = 0; y < count[1]; ++y)
        for (int x = 0; x < count[0]; ++x) {
          const int cell = number_of((first[0] + x) % cells_, (first[1] + y) % cells_, (first[2] + z) % cells_);
          for (int other = starts_(cell); other < starts_(cell + 1); ++other) visit(other);
        }
  }

  // Tags of operators that Kokkos calls.
  struct Count {};
  struct Start {};
  struct Fill {};
  KOKKOS_INLINE_FUNCTION void operator()(Count, const int body) const {
    rank_(body) = Kokkos::atomic_fetch_add(&starts_(cell_of(body)), 1);
  }
  KOKKOS_INLINE_FUNCTION void operator()(Start, const int cell, int& sum, const bool is_final) const {
    const int here = starts_(cell);
    if (is_final) starts_(cell) = sum;
    sum += here;
  }
  KOKKOS_INLINE_FUNCTION void operator()(Fill, const int body) const {
    const int place = starts_(cell_of(body)) + rank_(body);
    order_(place) = body;
    for (int axis = 0; axis < Dim; ++axis) sorted_(axis, place) = positions_(axis, body);
  }

 private:
  using Ints = Kokkos::View<int*, KokkosMemory>;

  static KOKKOS_INLINE_FUNCTION int least(int a, int b) { return a < b ? a : b; }
  static KOKKOS_INLINE_FUNCTION int greatest(int a, int b) { return a < b ? b : a; }
  KOKKOS_INLINE_FUNCTION int along(T coordinate) const {
    T of_box = coordinate * inverse_side_;
    if (Periodic) of_box -= std::floor(of_box);
    return greatest(least(static_cast<int>(of_box * static_cast<T>(cells_)), cells_ - 1), 0);
  }
  KOKKOS_INLINE_FUNCTION int number_of(int x, int y, int z) const { return (z * cells_ + y) * cells_ + x; }
  KOKKOS_INLINE_FUNCTION int cell_of(int body) const {
    int cell[3] = {};
    for (int axis = 0; axis < Dim; ++axis) cell[axis] = along(positions_(axis, body));
    return number_of(cell[0], cell[1], cell[2]);
  }

  int bodies_ = 0, cells_ = 1, reach_ = 1;
  T inverse_side_ = 0;
  Ints starts_, rank_, order_;
  Kokkos::View<T**, Kokkos::LayoutRight, KokkosMemory> sorted_;
  Kokkos::View<const T**, Kokkos::LayoutRight, KokkosMemory, Kokkos::MemoryTraits<Kokkos::RandomAccess>> gathered_;
  Positions positions_;
};

}  // namespace warpwright::baselines
