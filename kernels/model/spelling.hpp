// How C++ spells the value of a parameter: "256", "true", "warpwright::reduce::finish::atomic".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace warpwright {
namespace detail {

/// Enumerators above this have no spelling.
inline constexpr int highest_enumerator = 127;

/// Enumerators below this have no spelling.
template <class E>
inline constexpr int lowest_enumerator = std::is_signed_v<std::underlying_type_t<E>> ? -1 : 0;

/// g++ writes "const char* ... [with E = colour; E ...Values = {colour::red, (colour)1}]" and clang++
/// "... [E = colour, Values = <colour::red, (colour)1>]": a value without a name is a cast.
template <class E, E... Values>
const char* signature() {
  return __PRETTY_FUNCTION__;
}

/// The signature with all values that can be spelled.
template <class E, int... Offsets>
const char* signature_of(std::integer_sequence<int, Offsets...>) {
  return signature<E, static_cast<E>(lowest_enumerator<E> + Offsets)...>();
}

/// The value at that index of such a signature. Throws std::logic_error if it has no name, or if its namespace has
/// none.
std::string value_in(std::string_view signature, std::int64_t index);

}  // namespace detail

/// Values are numbers, booleans, and enumerators from -1 to 127 in a named namespace. Throws std::logic_error for other
/// enumerators.
template <class V>
std::string spelling(V value) {
  if constexpr (std::is_enum_v<V>) {
    constexpr int kLowest = detail::lowest_enumerator<V>;
    const char* const signature =
        detail::signature_of<V>(std::make_integer_sequence<int, detail::highest_enumerator - kLowest + 1>());
    return detail::value_in(signature, static_cast<std::int64_t>(value) - kLowest);
  } else if constexpr (std::is_same_v<V, bool>) {
    return value ? "true" : "false";
  } else {
    return std::to_string(value);
  }
}

}  // namespace warpwright
