// A small random number generator, whose seed decides all numbers. Schedules of the simulator use it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace warpwright::simulator {

/// SplitMix64: the same seed gives the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed = 0) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A random number from 0 to bound - 1, for bounds up to 2^32.
  std::uint64_t below(std::uint64_t bound) { return ((next() >> 32) * bound) >> 32; }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace warpwright::simulator
