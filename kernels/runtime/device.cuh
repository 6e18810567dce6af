// The only header device code includes. Read by NVRTC and nvcc it gives warpwright's own primitives for CUDA; read by a
// host compiler it gives the same primitives, and CUDA's built-ins, as the SIMT executor models them.
#pragma once

#include "kernels/runtime/common/standard_names.cuh"

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)
#include "kernels/runtime/cpu_model/simt.cuh"
#else

#ifdef __CUDACC_RTC__
// The spellings of GNU C, which nvcc knows and NVRTC does not.
#define __asm__ asm
#define __asm asm
#define __volatile__ volatile
#endif

namespace warpwright {

namespace detail {

template <int Bytes>
struct chunk;
template <>
struct chunk<1> {
  using type = unsigned char;
};
template <>
struct chunk<2> {
  using type = unsigned short;
};
template <>
struct chunk<4> {
  using type = unsigned int;
};
template <>
struct chunk<8> {
  using type = uint2;
};
template <>
struct chunk<16> {
  using type = uint4;
};

__host__ __device__ constexpr int largest_chunk(int bytes) {
  for (int size = 16; size > 1; size /= 2) {
    if (bytes % size == 0) return size;
  }
  return 1;
}

}  // namespace detail

/// N values that are loaded and stored together.
template <class T, int N>
struct alignas(detail::largest_chunk(static_cast<int>(sizeof(T)) * N)) vec {
  T elements[N];

  template <class Index>
  __host__ __device__ constexpr T& operator[](Index index) {
    return elements[index];
  }
  template <class Index>
  __host__ __device__ constexpr const T& operator[](Index index) const {
    return elements[index];
  }
};

/// Reads N values in as few accesses as there are (one up to 16 bytes). `from` must be aligned to the size of vec<T,
/// N>, at most 16.
template <int N, class T>
__device__ __forceinline__ vec<T, N> load_vector(const T* from) {
  using chunk = typename detail::chunk<alignof(vec<T, N>)>::type;
  vec<T, N> result;
#pragma unroll
  for (unsigned i = 0; i < sizeof(result) / sizeof(chunk); ++i) {
    reinterpret_cast<chunk*>(&result)[i] = reinterpret_cast<const chunk*>(from)[i];
  }
  return result;
}

/// Like load_vector, through the read-only cache: nothing may write these values while the kernel runs.
template <int N, class T>
__device__ __forceinline__ vec<T, N> load_vector_readonly(const T* from) {
  using chunk = typename detail::chunk<alignof(vec<T, N>)>::type;
  vec<T, N> result;
#pragma unroll
  for (unsigned i = 0; i < sizeof(result) / sizeof(chunk); ++i) {
    reinterpret_cast<chunk*>(&result)[i] = __ldg(reinterpret_cast<const chunk*>(from) + i);
  }
  return result;
}

/// Writes N values; `to` is aligned as for load_vector.
template <class T, int N>
__device__ __forceinline__ void store_vector(T* to, const vec<T, N>& values) {
  using chunk = typename detail::chunk<alignof(vec<T, N>)>::type;
#pragma unroll
  for (unsigned i = 0; i < sizeof(values) / sizeof(chunk); ++i) {
    reinterpret_cast<chunk*>(to)[i] = reinterpret_cast<const chunk*>(&values)[i];
  }
}

/// Reads one value through the read-only cache: nothing may write it while the kernel runs.
template <class T>
__device__ __forceinline__ T load_readonly(const T* from) {
  return __ldg(from);
}

namespace detail {

template <class T>
concept word32 = sizeof(T) == 4;
template <class T>
concept word64 = sizeof(T) == 8;

template <class T>
struct same {
  using type = T;
};

template <class To, class From>
__device__ __forceinline__ To bits_as(From from) {
  return __builtin_bit_cast(To, from);
}

}  // namespace detail

/// Reads a 4- or 8-byte value that other blocks write, with no ordering.
template <class T>
__device__ __forceinline__ T load_relaxed(const T* from) {
  if constexpr (detail::word32<T>) {
    unsigned bits;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
    return detail::bits_as<T>(bits);
  } else {
    static_assert(detail::word64<T>, "values of 4 or 8 bytes");
    unsigned long long bits;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
    return detail::bits_as<T>(bits);
  }
}

/// Like load_relaxed; what the writer did before its store_release is visible afterwards.
template <class T>
__device__ __forceinline__ T load_acquire(const T* from) {
  if constexpr (detail::word32<T>) {
    unsigned bits;
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
    return detail::bits_as<T>(bits);
  } else {
    static_assert(detail::word64<T>, "values of 4 or 8 bytes");
    unsigned long long bits;
    asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
    return detail::bits_as<T>(bits);
  }
}

/// Writes a 4- or 8-byte value that other blocks read, with no ordering.
template <class T>
__device__ __forceinline__ void store_relaxed(T* to, typename detail::same<T>::type value) {
  if constexpr (detail::word32<T>) {
    asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(to), "r"(detail::bits_as<unsigned>(value)) : "memory");
  } else {
    static_assert(detail::word64<T>, "values of 4 or 8 bytes");
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(to), "l"(detail::bits_as<unsigned long long>(value)) : "memory");
  }
}

/// Like store_relaxed; everything this thread did before is visible to who reads the value with load_acquire.
template <class T>
__device__ __forceinline__ void store_release(T* to, typename detail::same<T>::type value) {
  if constexpr (detail::word32<T>) {
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(to), "r"(detail::bits_as<unsigned>(value)) : "memory");
  } else {
    static_assert(detail::word64<T>, "values of 4 or 8 bytes");
    asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(to), "l"(detail::bits_as<unsigned long long>(value)) : "memory");
  }
}

/// Says that what follows needs all blocks of the grid to be resident together. On the host a launch that does not ask
/// for that is a finding; a device refuses a cooperative launch that does not fit.
__device__ __forceinline__ void require_cooperative_launch() {}

}  // namespace warpwright

#include "kernels/runtime/async.cuh"

#endif
