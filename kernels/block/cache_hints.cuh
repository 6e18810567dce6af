// Loads and stores of vectors with cache hints, for data that is read or written only once.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// How a vector is loaded.
enum class load_hint {
  plain,
  read_only,  ///< through the read-only path: nothing may write the data while the kernel runs
  streaming   ///< likely read once: evicted first
};

/// How a vector is stored.
enum class store_hint {
  plain,
  streaming  ///< likely not read soon: evicted first
};

namespace detail {

/// The types of CUDA's hinted accesses, by size in bytes.
template <int Bytes>
struct hinted_word;
template <>
struct hinted_word<4> {
  using type = unsigned int;
};
template <>
struct hinted_word<8> {
  using type = uint2;
};
template <>
struct hinted_word<16> {
  using type = uint4;
};

}  // namespace detail

/// Values of a vector of N that one access moves.
template <class T, int N>
inline constexpr int at_once = static_cast<int>(sizeof(T)) * N > 16 ? 16 / static_cast<int>(sizeof(T)) : N;

/// Reads N values of 4, 8 or 16 bytes in total by one access, more by several. `from` is aligned to an access.
template <load_hint Hint, int N, class T>
__device__ __forceinline__ vec<T, N> load_hinted(const T* from) {
  if constexpr (Hint == load_hint::streaming) {
    constexpr int kPart = at_once<T, N>;
    using word = typename detail::hinted_word<static_cast<int>(sizeof(T)) * kPart>::type;
    vec<vec<T, kPart>, N / kPart> parts;
#pragma unroll
    for (int i = 0; i < N / kPart; ++i)
      parts[i] = __builtin_bit_cast(vec<T, kPart>, __ldcs(reinterpret_cast<const word*>(from + i * kPart)));
    return __builtin_bit_cast(vec<T, N>, parts);
  } else if constexpr (Hint == load_hint::read_only) {
    return load_vector_readonly<N>(from);
  } else {
    return load_vector<N>(from);
  }
}

/// Writes N values of 4, 8 or 16 bytes in total by one access, more by several. `to` is aligned to an access.
template <store_hint Hint, class T, int N>
__device__ __forceinline__ void store_hinted(T* to, const vec<T, N>& values) {
  if constexpr (Hint == store_hint::streaming) {
    constexpr int kPart = at_once<T, N>;
    using word = typename detail::hinted_word<static_cast<int>(sizeof(T)) * kPart>::type;
    const auto parts = __builtin_bit_cast(vec<word, N / kPart>, values);
#pragma unroll
    for (int i = 0; i < N / kPart; ++i) __stcs(reinterpret_cast<word*>(to + i * kPart), parts[i]);
  } else {
    store_vector(to, values);
  }
}

}  // namespace warpwright::block
