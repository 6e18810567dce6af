// The few names of the C++ standard library that device code may use, for compilers without its headers.
#pragma once

#include "kernels/runtime/device.cuh"

// Other compilers read the library's own headers.
#if defined(__CUDACC_RTC__) || defined(WARPWRIGHT_HOST_TARGET)

namespace std {

#ifdef WARPWRIGHT_HOST_TARGET
// The functions of the C library that a source mentions.
using namespace ::warpwright::cuda;
#else
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::pow;
using ::round;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;
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

template <class Type>
__host__ __device__ constexpr const Type& min(const Type& a, const Type& b) {
  return b < a ? b : a;
}
template <class Type>
__host__ __device__ constexpr const Type& max(const Type& a, const Type& b) {
  return a < b ? b : a;
}
template <class Type>
__host__ __device__ constexpr void swap(Type& a, Type& b) {
  Type held = a;
  a = b;
  b = held;
}

template <class Type, Type Value>
struct integral_constant {
  static constexpr Type value = Value;
  using type = integral_constant;
  using value_type = Type;
  __host__ __device__ constexpr operator Type() const { return Value; }
};
template <bool Value>
using bool_constant = integral_constant<bool, Value>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class First, class Second>
struct is_same : false_type {};
template <class First>
struct is_same<First, First> : true_type {};
template <class First, class Second>
inline constexpr bool is_same_v = is_same<First, Second>::value;

template <bool Condition, class First, class Second>
struct conditional {
  using type = First;
};
template <class First, class Second>
struct conditional<false, First, Second> {
  using type = Second;
};
template <bool Condition, class First, class Second>
using conditional_t = typename conditional<Condition, First, Second>::type;

template <bool Condition, class Type = void>
struct enable_if {};
template <class Type>
struct enable_if<true, Type> {
  using type = Type;
};
template <bool Condition, class Type = void>
using enable_if_t = typename enable_if<Condition, Type>::type;

template <class Type>
struct remove_const {
  using type = Type;
};
template <class Type>
struct remove_const<const Type> {
  using type = Type;
};
template <class Type>
using remove_const_t = typename remove_const<Type>::type;
template <class Type>
struct remove_reference {
  using type = Type;
};
template <class Type>
struct remove_reference<Type&> {
  using type = Type;
};
template <class Type>
struct remove_reference<Type&&> {
  using type = Type;
};
template <class Type>
using remove_reference_t = typename remove_reference<Type>::type;

#ifdef WARPWRIGHT_HOST_TARGET
// NVRTC defines these itself.
template <class Type>
constexpr remove_reference_t<Type>&& move(Type&& value) {
  return static_cast<remove_reference_t<Type>&&>(value);
}
template <class Type>
constexpr Type&& forward(remove_reference_t<Type>& value) {
  return static_cast<Type&&>(value);
}
#endif

template <class Type>
struct is_floating_point
    : bool_constant<is_same_v<remove_const_t<Type>, float> || is_same_v<remove_const_t<Type>, double>> {};
template <class Type>
inline constexpr bool is_floating_point_v = is_floating_point<Type>::value;
template <class Type>
        struct is_integral : bool_constant < !is_floating_point_v<Type> &&
    requires(Type value) {
  value % 2;
  value << Type{1};
} && !__is_enum(Type) > {};
template <class Type>
inline constexpr bool is_integral_v = is_integral<Type>::value;

/// Only for arithmetic types.
template <class Type>
struct numeric_limits {
  static_assert(is_integral_v<Type>, "numeric_limits of a type that is no number");
  static constexpr bool is_specialized = true, is_integer = true, is_signed = static_cast<Type>(-1) < Type{};
  static constexpr int digits = static_cast<int>(sizeof(Type)) * 8 - (is_signed ? 1 : 0);
  __host__ __device__ static constexpr Type min() { return is_signed ? static_cast<Type>(1ull << digits) : Type{}; }
  __host__ __device__ static constexpr Type lowest() { return min(); }
  __host__ __device__ static constexpr Type max() { return static_cast<Type>(~min()); }
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

#endif
