// How random bits become numbers between 0 and 1. The bits are the same on every machine: only one operation here is
// inexact, and it is rounded the same everywhere.
#pragma once

#include "kernels/random/philox.cuh"

namespace warpwright::random {

/// Numbers of type T per block; each uses as many bits as T has.
template <class T>
inline constexpr int kNumbers = 16 / static_cast<int>(sizeof(T));

/// The bits of number k of a block: word k, or words 2 k and 2 k + 1, the lower first.
__host__ __device__ constexpr unsigned bits_of(const philox_block& block, int k, unsigned) {
  return block.words[k];
}
__host__ __device__ constexpr unsigned bits_of(const philox_block& block, int k, float) {
  return block.words[k];
}
__host__ __device__ constexpr unsigned long long bits_of(const philox_block& block, int k, double) {
  return block.words[2 * k] | static_cast<unsigned long long>(block.words[2 * k + 1]) << 32;
}

/// In [0, 1): multiples of 2^-24, or of 2^-53 for doubles.
__host__ __device__ constexpr float half_open(unsigned bits) {
  return static_cast<float>(bits >> 8) * 0x1p-24F;
}
__host__ __device__ constexpr double half_open(unsigned long long bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// Uniform number k of a block: in [0, 1), or for integers the bits themselves.
__host__ __device__ constexpr unsigned uniform_of(const philox_block& block, int k, unsigned) {
  return bits_of(block, k, 0U);
}
__host__ __device__ constexpr float uniform_of(const philox_block& block, int k, float) {
  return half_open(bits_of(block, k, 0.0F));
}
__host__ __device__ constexpr double uniform_of(const philox_block& block, int k, double) {
  return half_open(bits_of(block, k, 0.0));
}

/// In (0, 1]: floats with full precision from 2^-33 on; doubles are multiples of 2^-53.
__host__ __device__ constexpr float positive(unsigned bits) {
  return static_cast<float>(bits) * 0x1p-32F + 0x1p-33F;
}
__host__ __device__ constexpr double positive(unsigned long long bits) {
  return static_cast<double>((bits >> 11) + 1) * 0x1p-53;
}

/// In (0, 1): odd multiples of 2^-24, or of 2^-53 for doubles.
__host__ __device__ constexpr float open(unsigned bits) {
  return (static_cast<float>(bits >> 9) + 0.5F) * 0x1p-23F;
}
__host__ __device__ constexpr double open(unsigned long long bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

}  // namespace warpwright::random
