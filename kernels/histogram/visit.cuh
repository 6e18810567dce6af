// How warps visit keys: vectors in flight together, then the remaining keys one by one.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::histogram {

namespace detail {

/// A lane's vectors of one chunk. Keys of fewer than four bytes stay packed in words until they are used, because
/// unpacked keys would take a register each.
template <int Vector, int Coarsening, class Key>
class chunk_of_lane {
  static constexpr bool kInWords = Vector * sizeof(Key) % 4 == 0;
  static constexpr int kHeld = kInWords ? static_cast<int>(Vector * sizeof(Key) / 4) : Vector;
  static constexpr int kKeysPerWord = 4 / static_cast<int>(sizeof(Key));

 public:
  __device__ __forceinline__ void load(const Key* __restrict__ from) {
#pragma unroll
    for (int i = 0; i < Coarsening; ++i)
      vectors_[i] = load_vector<kHeld>(reinterpret_cast<const held*>(from + i * 32 * Vector));
  }
  template <class Use>
  __device__ __forceinline__ void each(Use use) const {
#pragma unroll
    for (int i = 0; i < Coarsening; ++i)
#pragma unroll
      for (int k = 0; k < Vector; ++k) use(key(i, k), true);
  }

 private:
  template <bool InWords, class Other>
  struct either {
    using type = unsigned;
  };
  template <class Other>
  struct either<false, Other> {
    using type = Other;
  };
  using held = typename either<kInWords, Key>::type;

  __device__ __forceinline__ Key key(int i, int k) const {
    if constexpr (!kInWords)
      return vectors_[i][k];
    else if constexpr (sizeof(Key) == 4)
      return __builtin_bit_cast(Key, vectors_[i][k]);
    else
      return static_cast<Key>(vectors_[i][k / kKeysPerWord] >> 8 * static_cast<int>(sizeof(Key)) * (k % kKeysPerWord));
  }

  vec<held, kHeld> vectors_[Coarsening];
};

}  // namespace detail

/// Calls use(key, true) for the keys of in[0..count) that warp number `warp` of `warps` processes. All lanes of the
/// warp call `use` together, so it may contain warp operations; a lane without a key calls use(Key(0), false). A chunk
/// is 32 * Vector * Coarsening keys; a lane loads its Coarsening vectors before it uses the first. Ahead: it loads
/// those of its next chunk too. `in` is aligned to vectors.
template <int Vector, int Coarsening, bool Ahead = false, class Key, class Use>
__device__ __forceinline__ void visit_keys(const Key* __restrict__ in, long long count, long long warp, long long warps,
                                           Use use) {
  constexpr int kChunk = 32 * Vector * Coarsening;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const long long chunks = count / kChunk;
  const Key* const of_lane = in + lane * Vector;
  detail::chunk_of_lane<Vector, Coarsening, Key> held;
  if constexpr (Ahead) {
    if (warp < chunks) held.load(of_lane + warp * kChunk);
#pragma unroll 1
    for (long long chunk = warp; chunk < chunks; chunk += warps) {
      detail::chunk_of_lane<Vector, Coarsening, Key> next = held;
      if (chunk + warps < chunks) next.load(of_lane + (chunk + warps) * kChunk);
      held.each(use);
      held = next;
    }
  } else {
#pragma unroll 1
    for (long long chunk = warp; chunk < chunks; chunk += warps) {
      held.load(of_lane + chunk * kChunk);
      held.each(use);
    }
  }
#pragma unroll 1
  for (long long first = chunks * kChunk + warp * 32; first < count; first += warps * 32) {
    const bool present = first + lane < count;
    use(present ? in[first + lane] : Key(0), present);
  }
}

/// The same for the warps of a whole grid of blocks of BlockSize threads.
template <int BlockSize, int Vector, int Coarsening, bool Ahead = false, class Key, class Use>
__device__ __forceinline__ void visit_keys_of_grid(const Key* __restrict__ in, long long count, Use use) {
  constexpr int kWarps = BlockSize / 32;
  visit_keys<Vector, Coarsening, Ahead>(in, count, static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / 32,
                                        static_cast<long long>(gridDim.x) * kWarps, use);
}

}  // namespace warpwright::histogram
