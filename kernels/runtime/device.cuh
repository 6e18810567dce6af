// The only header that device code includes. With NVRTC and nvcc it has warpwright's own device functions. With the
// CPU's compiler it has the same functions, and CUDA's built-ins as the simulator models them.
#pragma once

#include "kernels/runtime/common/standard_names.cuh"

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)
#include "kernels/runtime/cpu_model/simt.cuh"
#else

#ifdef __CUDACC_RTC__
// The spellings of GNU C, which nvcc accepts and NVRTC does not.
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

/// N values that are loaded or stored together.
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

/// Loads N values in as few accesses as possible (one for up to 16 bytes). `from` must be aligned to the size of vec<T,
/// N>, or to 16 bytes if that is less.
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

/// Like load_vector, through the read-only cache. Nothing may write these values while the kernel runs.
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

/// Stores N values. `to` must be aligned as for load_vector.
template <class T, int N>
__device__ __forceinline__ void store_vector(T* to, const vec<T, N>& values) {
  using chunk = typename detail::chunk<alignof(vec<T, N>)>::type;
#pragma unroll
  for (unsigned i = 0; i < sizeof(values) / sizeof(chunk); ++i) {
    reinterpret_cast<chunk*>(to)[i] = reinterpret_cast<const chunk*>(&values)[i];
  }
}

/// Loads one value through the read-only cache. Nothing may write it while the kernel runs.
template <class T>
__device__ __forceinline__ T load_readonly(const T* from) {
  if constexpr (requires { from->bits; }) {  // a short float as it is stored
    T value;
    value.bits = __ldg(&from->bits);
    return value;
  } else {
    return __ldg(from);
  }
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

/// Loads a 4- or 8-byte value that other blocks store. Orders no other accesses.
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

/// Like load_relaxed. Also makes visible what the storing thread did before its store_release.
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

/// Stores a 4- or 8-byte value that other blocks load. Orders no other accesses.
template <class T>
__device__ __forceinline__ void store_relaxed(T* to, typename detail::same<T>::type value) {
  if constexpr (detail::word32<T>) {
    asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(to), "r"(detail::bits_as<unsigned>(value)) : "memory");
  } else {
    static_assert(detail::word64<T>, "values of 4 or 8 bytes");
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(to), "l"(detail::bits_as<unsigned long long>(value)) : "memory");
  }
}

/// Like store_relaxed. A thread that loads the value by load_acquire sees everything that this thread did before.
template <class T>
__device__ __forceinline__ void store_release(T* to, typename detail::same<T>::type value) {
  if constexpr (detail::word32<T>) {
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(to), "r"(detail::bits_as<unsigned>(value)) : "memory");
  } else {
    static_assert(detail::word64<T>, "values of 4 or 8 bytes");
    asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(to), "l"(detail::bits_as<unsigned long long>(value)) : "memory");
  }
}

/// States that the code below needs all blocks of the grid to be resident together. The simulator reports a launch that
/// is not cooperative. A GPU refuses a cooperative launch that does not fit.
__device__ __forceinline__ void require_cooperative_launch() {}

}  // namespace warpwright

#include "kernels/runtime/async.cuh"

#ifdef __CUDACC_RTC__
// NVRTC declares these in a header only. Templates, so that they may stand beside that header's. Before sm_90 they do
// nothing.
template <class T = void>
__device__ __forceinline__ void cudaGridDependencySynchronize() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
template <class T = void>
__device__ __forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
#endif

#endif
