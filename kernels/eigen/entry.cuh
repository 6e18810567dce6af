// Entries of symmetric and Hermitian matrices: real and complex numbers, and their arithmetic in a rotation.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::eigen {

enum class entries {
  real,    ///< symmetric matrices
  complex  ///< Hermitian matrices: an entry's real part, followed by its imaginary part
};

template <class T>
struct real_entry {
  T re;
};
template <class T>
struct alignas(2 * sizeof(T)) complex_entry {
  T re, im;
};

namespace detail {

template <class T, entries E>
struct entry_of {
  using type = real_entry<T>;
};
template <class T>
struct entry_of<T, entries::complex> {
  using type = complex_entry<T>;
};

}  // namespace detail

template <class T, entries E>
using entry = typename detail::entry_of<T, E>::type;

/// Numbers of type T in an entry.
template <entries E>
inline constexpr int parts = E == entries::complex ? 2 : 1;

template <class T>
__device__ __forceinline__ real_entry<T> conjugate(real_entry<T> x) {
  return x;
}
template <class T>
__device__ __forceinline__ complex_entry<T> conjugate(complex_entry<T> x) {
  return {x.re, -x.im};
}

template <class T>
__device__ __forceinline__ real_entry<T> negated(real_entry<T> x) {
  return {-x.re};
}
template <class T>
__device__ __forceinline__ complex_entry<T> negated(complex_entry<T> x) {
  return {-x.re, -x.im};
}

template <class T>
__device__ __forceinline__ real_entry<T> scaled(real_entry<T> x, T by) {
  return {x.re * by};
}
template <class T>
__device__ __forceinline__ complex_entry<T> scaled(complex_entry<T> x, T by) {
  return {x.re * by, x.im * by};
}

/// The larger absolute value of the parts.
template <class T>
__device__ __forceinline__ T largest_part(real_entry<T> x) {
  return fabs(x.re);
}
template <class T>
__device__ __forceinline__ T largest_part(complex_entry<T> x) {
  return fmax(fabs(x.re), fabs(x.im));
}

/// |x|^2
template <class T>
__device__ __forceinline__ T squared_size(real_entry<T> x) {
  return x.re * x.re;
}
template <class T>
__device__ __forceinline__ T squared_size(complex_entry<T> x) {
  return fma(x.re, x.re, x.im * x.im);
}

/// c x + e y
template <class T>
__device__ __forceinline__ real_entry<T> mixed(T c, real_entry<T> x, real_entry<T> e, real_entry<T> y) {
  return {fma(c, x.re, e.re * y.re)};
}
template <class T>
__device__ __forceinline__ complex_entry<T> mixed(T c, complex_entry<T> x, complex_entry<T> e, complex_entry<T> y) {
  return {fma(c, x.re, fma(e.re, y.re, -(e.im * y.im))), fma(c, x.im, fma(e.re, y.im, e.im * y.re))};
}

/// Entry number `at` of an array of numbers, and the inverse operation: storing it.
template <entries E, class T>
__device__ __forceinline__ entry<T, E> load_entry(const T* from, long long at) {
  if constexpr (E == entries::real) {
    return {from[at]};
  } else {
    const vec<T, 2> both = load_vector<2>(from + 2 * at);
    return {both[0], both[1]};
  }
}
template <class T>
__device__ __forceinline__ void store_entry(T* to, long long at, real_entry<T> x) {
  to[at] = x.re;
}
template <class T>
__device__ __forceinline__ void store_entry(T* to, long long at, complex_entry<T> x) {
  store_vector(to + 2 * at, vec<T, 2>{{x.re, x.im}});
}

}  // namespace warpwright::eigen
