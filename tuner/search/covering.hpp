// A small sample of a space in which every pair of axis values that can occur together does occur.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// Points (indices, ascending) such that every pair of values of two axes that occurs in some valid point occurs in
/// one of them, and every single value too; the default point is among them. Empty for an empty space.
/// Greedy, in the manner of D. M. Cohen et al., The AETG System, IEEE Trans. Software Eng. 23(7), 1997: the next
/// point is one that covers most uncovered pairs, ties drawn from `seed`. Large spaces look at a random part of
/// their points in each step. Deterministic in (space, seed). Throws std::invalid_argument for a bad space.
std::vector<std::size_t> covering_sample(const SearchSpace& space, std::uint64_t seed);

}  // namespace warpwright::tuner
