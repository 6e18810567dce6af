// Accesses that CUDA writes as intrinsics or vector types, as single accesses in the simulator.
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright {

namespace simulator {

constexpr int largest_chunk(int bytes) {
  for (int size = 16; size > 1; size /= 2) {
    if (bytes % size == 0) return size;
  }
  return 1;
}

template <class T>
__attribute__((no_sanitize("thread"))) inline void access_in_chunks(const T* address, int bytes, unsigned flags,
                                                                    const void* site) {
  const int chunk = largest_chunk(bytes);
  for (int offset = 0; offset < bytes; offset += chunk) {
    runtime->access(reinterpret_cast<const char*>(address) + offset, static_cast<unsigned>(chunk) | flags, site);
  }
}

[[gnu::cold]] WARPWRIGHT_UNSEEN inline void missing_value(long long index) {
  runtime->bad_index({"vec", 0, 0}, index, __builtin_return_address(0));
}

}  // namespace simulator

/// N values that are loaded or stored together.
template <class T, int N>
struct alignas(simulator::largest_chunk(static_cast<int>(sizeof(T)) * N)) vec {
  T elements[N];

  template <class Index>
  constexpr T& operator[](Index index) {
    if (static_cast<unsigned long long>(index) >= N) [[unlikely]]
      simulator::missing_value(static_cast<long long>(index));
    return elements[index];
  }
  template <class Index>
  constexpr const T& operator[](Index index) const {
    if (static_cast<unsigned long long>(index) >= N) [[unlikely]]
      simulator::missing_value(static_cast<long long>(index));
    return elements[index];
  }
};

/// Loads N values in as few accesses as possible (one for up to 16 bytes). `from` must be aligned to the size of vec<T,
/// N>, or to 16 bytes if that is less.
template <int N, class T>
WARPWRIGHT_UNSEEN vec<T, N> load_vector(const T* from) {
  simulator::access_in_chunks(from, static_cast<int>(sizeof(vec<T, N>)), 0, __builtin_return_address(0));
  return *reinterpret_cast<const vec<T, N>*>(from);
}

/// Like load_vector, through the read-only cache. Nothing may write these values while the kernel runs.
template <int N, class T>
WARPWRIGHT_UNSEEN vec<T, N> load_vector_readonly(const T* from) {
  simulator::access_in_chunks(from, static_cast<int>(sizeof(vec<T, N>)), simulator::access_readonly,
                              __builtin_return_address(0));
  return *reinterpret_cast<const vec<T, N>*>(from);
}

/// Stores N values. `to` must be aligned as for load_vector.
template <class T, int N>
WARPWRIGHT_UNSEEN void store_vector(T* to, const vec<T, N>& values) {
  simulator::access_in_chunks(to, static_cast<int>(sizeof(vec<T, N>)), simulator::access_write,
                              __builtin_return_address(0));
  *reinterpret_cast<vec<T, N>*>(to) = values;
}

/// Loads one value through the read-only cache. Nothing may write it while the kernel runs.
template <class T>
WARPWRIGHT_UNSEEN T load_readonly(const T* from) {
  simulator::access_in_chunks(from, static_cast<int>(sizeof(T)), simulator::access_readonly,
                              __builtin_return_address(0));
  return *from;
}

/// Loads a 4- or 8-byte value that other blocks store. Orders no other accesses.
template <class T>
WARPWRIGHT_UNSEEN T load_relaxed(const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of 4 or 8 bytes");
  simulator::runtime->access(from, sizeof(T) | simulator::access_atomic, __builtin_return_address(0));
  return *from;
}

/// Like load_relaxed. Also makes visible what the storing thread did before its store_release.
template <class T>
WARPWRIGHT_UNSEEN T load_acquire(const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of 4 or 8 bytes");
  simulator::runtime->access(from, sizeof(T) | simulator::access_atomic | simulator::access_acquire,
                             __builtin_return_address(0));
  return *from;
}

/// Stores a 4- or 8-byte value that other blocks load. Orders no other accesses.
template <class T>
WARPWRIGHT_UNSEEN void store_relaxed(T* to, simulator::same<T> value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of 4 or 8 bytes");
  simulator::runtime->access(
      to, sizeof(T) | simulator::access_atomic | simulator::access_write | simulator::access_store_only,
      __builtin_return_address(0));
  *to = value;
}

/// Like store_relaxed. A thread that loads the value by load_acquire sees everything that this thread did before.
template <class T>
WARPWRIGHT_UNSEEN void store_release(T* to, simulator::same<T> value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of 4 or 8 bytes");
  simulator::runtime->access(to,
                             sizeof(T) | simulator::access_atomic | simulator::access_write |
                                 simulator::access_store_only | simulator::access_release,
                             __builtin_return_address(0));
  *to = value;
}

namespace cuda {

// The program's own calls. Calls that the compiler inserts to copy structs have hooks of their own.
WARPWRIGHT_UNSEEN inline void* memset(void* to, int byte, unsigned long bytes) {
  simulator::runtime->fill(to, byte, bytes, __builtin_return_address(0));
  return to;
}
WARPWRIGHT_UNSEEN inline void* memcpy(void* to, const void* from, unsigned long bytes) {
  simulator::runtime->copy(to, from, bytes, __builtin_return_address(0));
  return to;
}
WARPWRIGHT_UNSEEN inline void* memmove(void* to, const void* from, unsigned long bytes) {
  simulator::runtime->copy(to, from, bytes, __builtin_return_address(0));
  return to;
}

}  // namespace cuda

}  // namespace warpwright
