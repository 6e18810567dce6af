// Shared by the search strategies: neighbours of a point, draws among fresh points, a portable random source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// Random numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// 0 .. n-1; n > 0
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

/// Finds points by their coordinates.
class PointIndex {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Keeps a reference to `space`.
  explicit PointIndex(const SearchSpace& space);

  /// The valid point with these coordinates, or `none`.
  std::size_t find(const std::vector<int>& coordinates) const;

  /// The valid points that differ from `point` on one axis (Hamming distance 1), in canonical order of axes.
  std::vector<std::size_t> neighbours(std::size_t point) const;

 private:
  const SearchSpace& space_;
  std::map<std::vector<int>, std::size_t> index_;
};

/// Draws uniformly from the fresh points, in amortised constant time.
class FreshPool {
 public:
  explicit FreshPool(std::size_t points);

  /// Draws a point for which `fresh(point)` holds; there must be one. Points that are no longer fresh leave the pool
  /// when drawn.
  template <class Fresh>
  std::size_t draw(Random& random, const Fresh& fresh) {
    while (true) {
      const std::size_t at = random.below(pool_.size());
      if (fresh(pool_[at])) return pool_[at];
      pool_[at] = pool_.back();
      pool_.pop_back();
    }
  }

 private:
  std::vector<std::size_t> pool_;
};

}  // namespace warpwright::tuner
