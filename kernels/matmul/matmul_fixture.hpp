// For tests of matmul: its kernels, devices, and products of matrices of a shape.
#pragma once

#include <stdexcept>
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

/// The types of a product of such elements: that of sums follows if it is another.
inline std::vector<ElementType> types_of(ElementType type) {
  for (const std::vector<ElementType>& types : pattern().types)
    if (types.front() == type) return types;
  throw std::logic_error("matmul has no such elements");
}

inline Problem product(const std::vector<std::int64_t>& shape, const Settings& settings = {},
                       ElementType type = ElementType::f32) {
  return make_problem(pattern(), types_of(type), settings, shape);
}

}  // namespace warpwright::matmul
