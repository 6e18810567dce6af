// Tiles of a scan that lie in shared memory.
#pragma once

#include "kernels/scan/tile.cuh"

namespace warpwright::scan {

/// A tile that lies in shared memory, scanned by one of the algorithms of block/section_scan.cuh. Loads and stores are
/// of vectors that follow each other as the threads do.
template <class T, class Op, int Threads, int Vector, class Section>
class section_tile {
  static constexpr int kVectors = Section::size / (Threads * Vector);

 public:
  static constexpr int size = Section::size;

  __device__ __forceinline__ void load(const T* from, long long left, T* shared) {
#pragma unroll
    for (int i = 0; i != kVectors; ++i) own_[i] = detail::load_elements<Op, Vector>(from + place(i), left - place(i));
#pragma unroll
    for (int i = 0; i != kVectors; ++i)
#pragma unroll
      for (int k = 0; k != Vector; ++k) shared[Section::slot(place(i) + k)] = own_[i][k];
    results_ = shared;
  }

  __device__ __forceinline__ T scan() {
    results_ = Section::template scan<Op>(results_);
    return Section::total(results_);
  }

  template <kind Kind, position Position>
  __device__ __forceinline__ void store(T* to, long long left, T before) const {
#pragma unroll
    for (int i = 0; i != kVectors; ++i) {
      vec<T, Vector> held;
#pragma unroll
      for (int k = 0; k != Vector; ++k)
        held[k] = detail::behind<Op, Position>(before, result<Kind>(place(i) + k, own_[i][k]));
      detail::store_elements<Vector>(to + place(i), left - place(i), held);
    }
  }

 private:
  /// Where in the tile this thread's vector number i begins.
  static __device__ __forceinline__ int place(int i) {
    return (i * Threads + static_cast<int>(threadIdx.x)) * Vector;
  }

  template <kind Kind>
  __device__ __forceinline__ T result(int i, T own) const {
    if constexpr (Section::is_exclusive)
      return Kind == kind::exclusive ? results_[Section::slot(i)] : Op::combine(results_[Section::slot(i)], own);
    else if constexpr (Kind == kind::inclusive)
      return results_[Section::slot(i)];
    else
      return i == 0 ? Op::template identity<T>() : results_[Section::slot(i - 1)];
  }

  vec<T, Vector> own_[kVectors];
  T* results_;
};

}  // namespace warpwright::scan
