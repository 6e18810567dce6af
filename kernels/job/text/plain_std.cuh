// The few names of the C++ library that device code of plain .cu texts uses, for compilers that are given no headers.
#pragma once

#include "kernels/runtime/device.cuh"

namespace std {

#ifdef WARPWRIGHT_HOST_TARGET
// The functions of the C library, those that a text mentions.
using namespace ::warpwright::cuda;
#endif
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;

template <class T>
__host__ __device__ constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
__host__ __device__ constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
__host__ __device__ constexpr void swap(T& a, T& b) {
  T held = a;
  a = b;
  b = held;
}

template <class T, T Value>
struct integral_constant {
  static constexpr T value = Value;
  using type = integral_constant;
  using value_type = T;
  __host__ __device__ constexpr operator T() const { return Value; }
};
template <bool Value>
using bool_constant = integral_constant<bool, Value>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class A, class B>
struct is_same : false_type {};
template <class A>
struct is_same<A, A> : true_type {};
template <class A, class B>
inline constexpr bool is_same_v = is_same<A, B>::value;

template <bool Condition, class A, class B>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool Condition, class A, class B>
using conditional_t = typename conditional<Condition, A, B>::type;

template <bool Condition, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <bool Condition, class T = void>
using enable_if_t = typename enable_if<Condition, T>::type;

template <class T>
struct remove_const {
  using type = T;
};
template <class T>
struct remove_const<const T> {
  using type = T;
};
template <class T>
using remove_const_t = typename remove_const<T>::type;
template <class T>
struct remove_reference {
  using type = T;
};
template <class T>
struct remove_reference<T&> {
  using type = T;
};
template <class T>
struct remove_reference<T&&> {
  using type = T;
};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;

template <class T>
struct is_floating_point : bool_constant<is_same_v<remove_const_t<T>, float> || is_same_v<remove_const_t<T>, double>> {
};
template <class T>
inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T>
        struct is_integral : bool_constant < !is_floating_point_v<T> &&
    requires(T value) {
  value % 2;
  value << T{1};
} && !__is_enum(T) > {};
template <class T>
inline constexpr bool is_integral_v = is_integral<T>::value;

/// Of arithmetic types; of others there is none.
template <class T>
struct numeric_limits {
  static_assert(is_integral_v<T>, "numeric_limits of a type that is no number");
  static constexpr bool is_specialized = true, is_integer = true, is_signed = static_cast<T>(-1) < T{};
  static constexpr int digits = static_cast<int>(sizeof(T)) * 8 - (is_signed ? 1 : 0);
  __host__ __device__ static constexpr T min() { return is_signed ? static_cast<T>(1ull << digits) : T{}; }
  __host__ __device__ static constexpr T lowest() { return min(); }
  __host__ __device__ static constexpr T max() { return static_cast<T>(~min()); }
};
template <>
struct numeric_limits<bool> {
  static constexpr bool is_specialized = true, is_integer = true, is_signed = false;
  __host__ __device__ static constexpr bool min() { return false; }
  __host__ __device__ static constexpr bool lowest() { return false; }
  __host__ __device__ static constexpr bool max() { return true; }
};
template <>
struct numeric_limits<float> {
  static constexpr bool is_specialized = true, is_integer = false, is_signed = true;
  __host__ __device__ static constexpr float min() { return FLT_MIN; }
  __host__ __device__ static constexpr float max() { return FLT_MAX; }
  __host__ __device__ static constexpr float lowest() { return -FLT_MAX; }
  __host__ __device__ static constexpr float epsilon() { return FLT_EPSILON; }
  __host__ __device__ static constexpr float infinity() { return INFINITY; }
  __host__ __device__ static constexpr float quiet_NaN() { return NAN; }
};
template <>
struct numeric_limits<double> {
  static constexpr bool is_specialized = true, is_integer = false, is_signed = true;
  __host__ __device__ static constexpr double min() { return DBL_MIN; }
  __host__ __device__ static constexpr double max() { return DBL_MAX; }
  __host__ __device__ static constexpr double lowest() { return -DBL_MAX; }
  __host__ __device__ static constexpr double epsilon() { return DBL_EPSILON; }
  __host__ __device__ static constexpr double infinity() { return INFINITY; }
  __host__ __device__ static constexpr double quiet_NaN() { return NAN; }
};

}  // namespace std
