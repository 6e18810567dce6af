// Multi-start local search: descends to a local optimum, then starts again from a random point.
#pragma once

#include <cstdint>
#include <memory>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// First-improvement descent: neighbours differ on one axis and are tried in random order. Starts from the best of the
/// default point and 16 random ones; after each local optimum from the best of 16 random points. While the costs of the
/// last neighbours are outstanding it asks for random points, so it never waits. Source: R. Marti, Multi-Start Methods,
/// Handbook of Metaheuristics, 2003. Perturbing the optimum instead of restarting (iterated local search) scored worse
/// on recorded spaces. Throws std::invalid_argument for an invalid space.
std::unique_ptr<Strategy> make_local_search(SearchSpace space, std::uint64_t seed);

}  // namespace warpwright::tuner
