// Converts the contents of a buffer to values of a C++ type, and back.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright {

template <class T>
std::vector<T> elements_of(const Bytes& bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> elements(bytes.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}

template <class T>
Bytes bytes_of(const std::vector<T>& elements) {
  static_assert(std::is_trivially_copyable_v<T>);
  Bytes bytes(elements.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

}  // namespace warpwright
