// Pairwise covering: a small sample of a space that has every pair of axis values that can occur together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// Returns points (indices, ascending), including the default point. Every single value, and every pair of values of
/// two axes, that occurs in some valid point occurs in one of them. Empty for an empty space. Greedy, as in D. M. Cohen
/// et al., The AETG System, IEEE Trans. Software Eng. 23(7), 1997: the next point is the one that covers most uncovered
/// pairs; ties are broken by `seed`. In large spaces each step considers a random subset of the points. Deterministic
/// in (space, seed). Throws std::invalid_argument for an invalid space.
std::vector<std::size_t> covering_sample(const SearchSpace& space, std::uint64_t seed);

}  // namespace warpwright::tuner
