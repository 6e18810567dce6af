// Tiles of a scan that lie in shared memory, where the scan is exclusive.
#pragma once

#include "kernels/scan/section_tile.cuh"

namespace warpwright::scan {

/// A tile scanned by one of the exclusive algorithms of block/section.cuh; elements are kept, for inclusive results.
template <class T, class Op, int Threads, int Vector, class Section>
class exclusive_section_tile {
  static_assert(Section::is_exclusive, "an inclusive section needs no elements: section_tile");
  using section_rows = detail::section_rows<T, Op, Threads, Vector, Section>;

 public:
  static constexpr int size = Section::size;

  __device__ __forceinline__ void load(const T* from, long long left, T* shared) {
    section_rows::load(own_, from, left, shared);
    results_ = shared;
  }

  __device__ __forceinline__ T scan() {
    results_ = Section::template scan<Op>(results_);
    return Section::total(results_);
  }

  template <kind Kind, position Position>
  __device__ __forceinline__ void store(T* to, long long left, T before) const {
    section_rows::store(to, left, [&](int place, int row, int k) {
      const T value = detail::behind<Op, Position>(before, results_[Section::slot(place)]);
      return Kind == kind::exclusive ? value : Op::combine(value, own_[row][k]);
    });
  }

 private:
  typename section_rows::rows own_;
  T* results_;
};

}  // namespace warpwright::scan
