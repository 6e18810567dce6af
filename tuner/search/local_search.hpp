// Multi-start local search: descend to a local optimum, start again from a random point.
#pragma once

#include <cstdint>
#include <memory>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// First-improvement descent over points that differ on one axis, in random order, from the best of the default point
/// and 16 random ones; after a local optimum from the best of 16 random points. While the last neighbours are
/// outstanding it asks for random points, so it never waits. Source: R. Marti, Multi-Start Methods, Handbook of
/// Metaheuristics, 2003. Kicking the optimum (iterated local search) scored worse on recorded spaces.
/// Throws std::invalid_argument for a bad space.
std::unique_ptr<Strategy> make_local_search(SearchSpace space, std::uint64_t seed);

}  // namespace warpwright::tuner
