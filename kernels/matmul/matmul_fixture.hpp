// For tests of matmul: its kernels, devices, and products of matrices of a shape.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"

namespace warpwright::matmul {

inline const Pattern& pattern() {
  return catalogue().pattern("matmul");
}

inline const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("matmul/" + name);
}

inline Device device(int compute_capability) {
  Device device;
  device.compute_capability = compute_capability;
  if (compute_capability >= 80) device.shared_per_sm = 228 << 10;
  if (compute_capability >= 80) device.shared_per_block_optin = 227 << 10;
  return device;
}

/// 16-bit elements have float sums.
inline std::vector<ElementType> types_of(ElementType type) {
  if (size_of(type) == 2) return {type, ElementType::f32};
  return {type};
}

inline Problem product(const std::vector<std::int64_t>& shape, const Settings& settings = {},
                       ElementType type = ElementType::f32) {
  return make_problem(pattern(), types_of(type), settings, shape);
}

}  // namespace warpwright::matmul
