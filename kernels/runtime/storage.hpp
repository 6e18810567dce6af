// The C++ types of elements, as buffers store them.
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "kernels/model/element_type.hpp"
#include "kernels/runtime/common/half.cuh"

namespace warpwright {

/// The element type of a C++ number type. Short floats have storage types.
template <class T>
constexpr ElementType element_type_of() {
  if constexpr (std::same_as<T, float16>) return ElementType::f16;
  if constexpr (std::same_as<T, bfloat16>) return ElementType::bf16;
  if constexpr (std::same_as<T, tfloat32>) return ElementType::tf32;
  if constexpr (std::same_as<T, float8_e4m3>) return ElementType::e4m3;
  if constexpr (std::same_as<T, float8_e5m2>) return ElementType::e5m2;
  if constexpr (std::same_as<T, float>) return ElementType::f32;
  if constexpr (std::same_as<T, double>) return ElementType::f64;
  constexpr ElementType kSigned[]{ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64};
  constexpr ElementType kUnsigned[]{ElementType::u8, ElementType::u16, ElementType::u32, ElementType::u64};
  constexpr int kLog2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return std::is_signed_v<T> ? kSigned[kLog2] : kUnsigned[kLog2];
}

/// Calls use(T()) with the type among First, Rest... that elements of `type` have. Throws std::logic_error if none has
/// it.
template <class First, class... Rest, class Use>
auto with_type_of(ElementType type, Use use) {
  if (type == element_type_of<First>()) return use(First());
  if constexpr (sizeof...(Rest) > 0)
    return with_type_of<Rest...>(type, use);
  else
    throw std::logic_error("no elements of type " + std::string(name_of(type)) + " were thought of here");
}

/// The same, for any element type.
template <class Use>
auto with_storage_of(ElementType type, Use use) {
  return with_type_of<signed char, short, int, long long, unsigned char, unsigned short, unsigned, unsigned long long,
                      float16, bfloat16, float, double, tfloat32, float8_e4m3, float8_e5m2>(type, use);
}

}  // namespace warpwright
