// SMAC: model-based search, in which a random forest predicts the rank of points from the costs known so far.
#pragma once

#include <cstdint>
#include <memory>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// Sequential model-based algorithm configuration. It evaluates the default point and seven random ones first. After
/// that it chooses, among the neighbours of the five best points and 100 random points, the one with the lowest (mean -
/// deviation) predicted by a forest fitted to log(1 + rank). One point in ten is random, so that the search also
/// explores elsewhere. Failed points rank last. The forest is fitted again when 5 % more costs are known. It never
/// waits for outstanding costs.
/// Source: F. Hutter, H. H. Hoos, K. Leyton-Brown, Sequential Model-Based Optimization for General Algorithm
/// Configuration, LION 5, 2011. Ranks instead of costs, and the constants, are ours, chosen on the recorded spaces.
/// Throws std::invalid_argument for an invalid space.
std::unique_ptr<Strategy> make_smac(SearchSpace space, std::uint64_t seed);

}  // namespace warpwright::tuner
