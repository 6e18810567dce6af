// Tiles of a scan: a block's elements, loaded, scanned and stored, in registers or in a section of shared memory.
//
// A tile is a class of which every thread of the block has an object: `load` reads `size` elements (of which `left`
// exist), `scan` gives the combination of all to every thread, `store` writes the results, each behind `before` where
// Position says so. `shared` is the array of section_tile's Section, which belongs to the tile from load to store.
#pragma once

#include "kernels/block/operators.cuh"
#include "kernels/block/scan.cuh"
#include "kernels/block/section_scan.cuh"

namespace warpwright::scan {

/// Whether an element is part of its own result.
enum class kind { inclusive, exclusive };

/// Whether there is something before a tile that its results are combined with.
enum class position { first, behind };

/// How the elements of a tile are scanned: in registers, or by an algorithm of block/section_scan.cuh.
enum class block_scan { warp_shuffle, coarsened, kogge_stone, brent_kung, blelloch };

/// What a register_tile takes beside registers: nothing; and the combinations between an element and a result, what
/// lies before the tile not counted.
__host__ __device__ constexpr block::section_cost register_tile_cost(int items, int vector) {
  return {0, vector + items / vector + 10 + 2};
}

/// The same of a tile of block_size * coarsening elements that P.block_scan asks for.
template <class P>
__host__ __device__ constexpr block::section_cost tile_cost(const P& p) {
  const int size = p.block_size * p.coarsening;
  switch (p.block_scan) {
    case block_scan::coarsened:
      return block::coarsened_cost(size, p.block_size, p.bank_pad);
    case block_scan::kogge_stone:
      return block::kogge_stone_cost(size, block::buffering::double_buffer);
    case block_scan::brent_kung:
      return block::brent_kung_cost(size, p.bank_pad);
    case block_scan::blelloch:
      return block::blelloch_cost(size, p.bank_pad, 32);
    default:
      return register_tile_cost(p.coarsening, p.vector_width);
  }
}

namespace detail {

/// An element as the scan takes it: nothing, where it is a NaN that the operator ignores.
template <class Op, class T>
__device__ __forceinline__ T element_of(T x) {
  if constexpr (Op::ignores_nan)
    return Op::combine(Op::template identity<T>(), x);
  else
    return x;
}

/// from[0..Vector), of which the first `left` exist; the others are nothing. `from` is aligned to the vector.
template <class Op, int Vector, class T>
__device__ __forceinline__ vec<T, Vector> load_elements(const T* from, long long left) {
  vec<T, Vector> held;
  if (Vector <= left) {
    held = load_vector<Vector>(from);
#pragma unroll
    for (int k = 0; k != Vector; ++k) held[k] = element_of<Op>(held[k]);
  } else {
#pragma unroll
    for (int k = 0; k != Vector; ++k) held[k] = k < left ? element_of<Op>(from[k]) : Op::template identity<T>();
  }
  return held;
}

template <int Vector, class T>
__device__ __forceinline__ void store_elements(T* to, long long left, const vec<T, Vector>& held) {
  if (Vector <= left) {
    store_vector(to, held);
  } else {
#pragma unroll
    for (int k = 0; k != Vector; ++k)
      if (k < left) to[k] = held[k];
  }
}

template <class Op, position Position, class T>
__device__ __forceinline__ T behind(T before, T value) {
  if constexpr (Position == position::behind)
    return Op::combine(before, value);
  else
    return value;
}

}  // namespace detail

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

/// A tile that stays in registers: each warp has 32 * Items neighbouring elements, as chunks of 32 vectors of Vector
/// elements that it scans by shuffles one after the other.
template <class T, class Op, int Threads, int Items, int Vector>
class register_tile {
  static_assert(Items % Vector == 0, "whole vectors");
  static constexpr int kChunks = Items / Vector;

 public:
  static constexpr int size = Threads * Items;

  /// `shared` is not used.
  __device__ __forceinline__ void load(const T* from, long long left, T*) {
#pragma unroll
    for (int i = 0; i != kChunks; ++i) held_[i] = detail::load_elements<Op, Vector>(from + place(i), left - place(i));
  }

  __device__ __forceinline__ T scan() {
    constexpr unsigned kAll = 0xffffffffU;
    const bool is_first_lane = threadIdx.x % 32 == 0;
    T of_warp = Op::template identity<T>();
#pragma unroll
    for (int i = 0; i != kChunks; ++i) {
#pragma unroll
      for (int k = 1; k != Vector; ++k) held_[i][k] = Op::combine(held_[i][k - 1], held_[i][k]);
      const T up_to_lane = block::inclusive_scan_warp<Op>(held_[i][Vector - 1]);
      const T before_lane = __shfl_up_sync(kAll, up_to_lane, 1);
      before_[i] = is_first_lane ? of_warp : Op::combine(of_warp, before_lane);
      of_warp = Op::combine(of_warp, __shfl_sync(kAll, up_to_lane, 31));
    }
    const block::scanned<T> warps = block::scan_warps<Op, Threads>(of_warp);
    before_warp_ = warps.value;
    return warps.total;
  }

  template <kind Kind, position Position>
  __device__ __forceinline__ void store(T* to, long long left, T before) const {
    const T before_warp = detail::behind<Op, Position>(before, before_warp_);
#pragma unroll
    for (int i = 0; i != kChunks; ++i) {
      const T before_vector = Op::combine(before_warp, before_[i]);
      vec<T, Vector> results;
#pragma unroll
      for (int k = 0; k != Vector; ++k)
        if constexpr (Kind == kind::inclusive)
          results[k] = Op::combine(before_vector, held_[i][k]);
        else
          results[k] = k == 0 ? before_vector : Op::combine(before_vector, held_[i][k == 0 ? 0 : k - 1]);
      detail::store_elements<Vector>(to + place(i), left - place(i), results);
    }
  }

 private:
  /// Where in the tile this lane's vector of chunk i begins.
  static __device__ __forceinline__ int place(int i) {
    const int thread = static_cast<int>(threadIdx.x);
    return ((thread / 32 * kChunks + i) * 32 + thread % 32) * Vector;
  }

  vec<T, Vector> held_[kChunks];  ///< what each has and what lies before it in its vector
  T before_[kChunks];             ///< what lies before each vector in the warp's part
  T before_warp_;
};

namespace detail {

template <block_scan By, int Size, int Threads, int Pad>
struct chosen_section {
  using type = block::coarsened<Size, Threads, Pad>;
};
template <int Size, int Threads, int Pad>
struct chosen_section<block_scan::kogge_stone, Size, Threads, Pad> {
  using type = block::kogge_stone<Size, Threads, block::buffering::double_buffer>;
};
template <int Size, int Threads, int Pad>
struct chosen_section<block_scan::brent_kung, Size, Threads, Pad> {
  using type = block::brent_kung<Size, Threads, block::mapping::contiguous, Pad>;
};
template <int Size, int Threads, int Pad>
struct chosen_section<block_scan::blelloch, Size, Threads, Pad> {
  using type = block::blelloch<Size, Threads, Pad, 32>;
};

template <class T, class Op, auto P, block_scan By>
struct chosen_tile {
  using section = typename chosen_section<By, P.block_size * P.coarsening, P.block_size, P.bank_pad>::type;
  using type = section_tile<T, Op, P.block_size, P.vector_width, section>;
};
template <class T, class Op, auto P>
struct chosen_tile<T, Op, P, block_scan::warp_shuffle> {
  using type = register_tile<T, Op, P.block_size, P.coarsening, P.vector_width>;
};

/// The dynamic shared memory of a block as elements of type T.
template <class T>
__device__ __forceinline__ T* shared_array() {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  return reinterpret_cast<T*>(shared_bytes);
}

}  // namespace detail

/// The tile that P.block_scan asks for; tile_cost says what it takes.
template <class T, class Op, auto P>
using tile_of = typename detail::chosen_tile<T, Op, P, P.block_scan>::type;

}  // namespace warpwright::scan
