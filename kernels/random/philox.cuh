// Philox 4x32-10: 128 random bits for a counter and a key, without any state. Source: J. Salmon, M. Moraes, R. Dror, D.
// Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::random {

/// A counter or its random block: four words of 32 bits, the lowest first.
struct philox_block {
  unsigned words[4];
  bool operator==(const philox_block&) const = default;
};

inline constexpr int kPhiloxRounds = 10;

/// The block of random bits for a counter and a key of two words.
__host__ __device__ constexpr philox_block philox(philox_block counter, unsigned key_low, unsigned key_high) {
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const unsigned long long even = 0xd2511f53ULL * counter.words[0];
    const unsigned long long odd = 0xcd9e8d57ULL * counter.words[2];
    counter = {{static_cast<unsigned>(odd >> 32) ^ counter.words[1] ^ key_low, static_cast<unsigned>(odd),
                static_cast<unsigned>(even >> 32) ^ counter.words[3] ^ key_high, static_cast<unsigned>(even)}};
    key_low += 0x9e3779b9U;
    key_high += 0xbb67ae85U;
  }
  return counter;
}

/// Block number `number` of the sequence of a seed: the counter is the number, the key the seed, low words first.
__host__ __device__ constexpr philox_block block_of(unsigned long long seed, unsigned long long number) {
  return philox({{static_cast<unsigned>(number), static_cast<unsigned>(number >> 32), 0U, 0U}},
                static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
}

}  // namespace warpwright::random
