// Tiles of a scan that lie in shared memory.
#pragma once

#include "kernels/scan/tile.cuh"

namespace warpwright::scan {

namespace detail {

/// How the threads of a block share a section: row by row, with consecutive vectors on consecutive threads.
template <class T, class Op, int Threads, int Vector, class Section>
struct section_rows {
  static constexpr int count = Section::size / (Threads * Vector);
  using rows = vec<T, Vector>[count];

  /// The position in the tile at which this thread's vector of row i begins.
  static __device__ __forceinline__ int place(int i) { return (i * Threads + static_cast<int>(threadIdx.x)) * Vector; }

  /// Reads this thread's elements, issuing all loads before using the first, and puts them into the section.
  static __device__ __forceinline__ void load(rows& held, const T* from, long long left, T* section) {
#pragma unroll
    for (int i = 0; i != count; ++i) held[i] = load_elements<Op, Vector>(from + place(i), left - place(i));
#pragma unroll
    for (int i = 0; i != count; ++i)
#pragma unroll
      for (int k = 0; k != Vector; ++k) section[Section::slot(place(i) + k)] = held[i][k];
  }

  /// Writes result(position in the tile, row, position in the vector) for each of this thread's elements.
  template <class Result>
  static __device__ __forceinline__ void store(T* to, long long left, Result result) {
#pragma unroll
    for (int i = 0; i != count; ++i) {
      vec<T, Vector> results;
#pragma unroll
      for (int k = 0; k != Vector; ++k) results[k] = result(place(i) + k, i, k);
      store_elements<Vector>(to + place(i), left - place(i), results);
    }
  }
};

}  // namespace detail

/// A tile scanned by one of the algorithms of block/section.cuh. After an inclusive algorithm, exclusive results are
/// read one element earlier; after an exclusive one, inclusive results are made with the original elements.
template <class T, class Op, int Threads, int Vector, class Section>
class section_tile {
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
      const T value = detail::behind<Op, Position>(before, scanned<Kind>(place));
      if constexpr (Section::is_exclusive && Kind == kind::inclusive)
        return Op::combine(value, own_[row][k]);
      else
        return value;
    });
  }

 private:
  /// The value in the section for the result of the element at `place`.
  template <kind Kind>
  __device__ __forceinline__ T scanned(int place) const {
    if constexpr (Section::is_exclusive || Kind == kind::inclusive)
      return results_[Section::slot(place)];
    else
      return place == 0 ? Op::template identity<T>() : results_[Section::slot(place - 1)];
  }

  typename section_rows::rows own_;
  T* results_;
};

}  // namespace warpwright::scan
