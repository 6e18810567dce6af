// Model-based search: a Gaussian process chooses the points to evaluate.
#pragma once

#include <cstdint>
#include <memory>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// Bayesian optimisation on a space of indices. Evaluates the default point and two random ones first. After that it
/// chooses the point of the largest expected improvement, as predicted by a Gaussian process fitted to the costs'
/// ranks. It looks among random points, the neighbours of the best known ones, and then, step by step, the neighbours
/// of the point it would choose. Failed points rank last. A point whose cost is outstanding counts as evaluated, with
/// the cost that was predicted, so points asked for together are spread out. It never waits for outstanding costs.
///
/// An ask takes time in proportion to the rows of the process (at most 600 known points, and the outstanding ones)
/// times its candidates (about a thousand). The process is fitted again, to at most 100 points, when its rows have
/// grown by half.
/// Sources: D. R. Jones, M. Schonlau, W. J. Welch, Efficient Global Optimization of Expensive Black-Box Functions,
/// Journal of Global Optimization 13, 1998; outstanding costs: D. Ginsbourger, R. Le Riche, L. Carraro, Kriging Is
/// Well-Suited to Parallelize Optimization, 2010 (its "kriging believer"); neighbours of what it would choose: F.
/// Hutter, H. H. Hoos, K. Leyton-Brown, Sequential Model-Based Optimization for General Algorithm Configuration, LION
/// 5, 2011. Ranks instead of costs, and the constants, are ours, chosen on 11 recorded spaces
/// (docs/results/2026-11-24_no_gpu.md). Throws std::invalid_argument for an invalid space.
std::unique_ptr<Strategy> make_gaussian_process_search(SearchSpace space, std::uint64_t seed);

}  // namespace warpwright::tuner
