// SMAC: search led by a random forest that predicts the rank of points from the costs told so far.
#pragma once

#include <cstdint>
#include <memory>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// Sequential model-based algorithm configuration. First the default point and seven random ones; then the point with
/// the lowest (mean - deviation) of a forest fitted to log(1 + rank), among the neighbours of the five best points
/// and 100 random points; one in ten is random, which restarts the search elsewhere. Failed points rank last.
/// The forest is fitted again when 5 % more costs are known. It never waits for outstanding costs.
/// Source: F. Hutter, H. H. Hoos, K. Leyton-Brown, Sequential Model-Based Optimization for General Algorithm
/// Configuration, LION 5, 2011; ranks instead of costs and the constants are ours, from the recorded spaces.
/// Throws std::invalid_argument for a bad space.
std::unique_ptr<Strategy> make_smac(SearchSpace space, std::uint64_t seed);

}  // namespace warpwright::tuner
