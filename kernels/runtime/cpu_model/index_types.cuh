// The types of CUDA's built-in variables. Every module has them.
#pragma once

namespace warpwright::cuda {

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;

  constexpr dim3(unsigned in_x = 1, unsigned in_y = 1, unsigned in_z = 1) : x(in_x), y(in_y), z(in_z) {}
  constexpr dim3(uint3 other) : x(other.x), y(other.y), z(other.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

}  // namespace warpwright::cuda
