// The property "this kernel is right": rapidcheck draws params, problem, input and schedule together and shrinks them
// together.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "conformance/checker.hpp"

namespace warpwright::conformance {

struct PropertyOptions {
  std::string target = "host";
  int cases = 200;
  std::uint64_t seed = 1;
  std::vector<Point> params;      ///< drawn from these, the simplest first
  std::vector<Problem> problems;  ///< types and variants are drawn from these; their shapes are not used
  std::int64_t max_elements = 8192;
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  const std::atomic<bool>* stop = nullptr;  ///< ends the run when it becomes true
  bool shrink = true;                       ///< look for a simpler counterexample than the first
  bool determinism = false;                 ///< the first case is one of determinism, where the kernel declares it
};

struct PropertyReport {
  const Kernel* kernel = nullptr;
  int cases = 0;
  int mistrusted = 0;
  double worst_error_ratio = 0;
  std::uint64_t steps = 0, threads = 0;
  double seconds = 0;
  bool interrupted = false;
  std::optional<Case> counterexample;  ///< as shrunk
  std::optional<Case> first_failure;   ///< as drawn
  CaseResult failure;                  ///< of the counterexample

  bool ok() const { return !counterexample; }
};

/// Deterministic in the options, but for deadline and stop.
PropertyReport run_property(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                            const PropertyOptions& options);

/// The cases that such a run would check, in order.
std::vector<Case> draw_cases(const Catalogue& catalogue, const Kernel& kernel, const PropertyOptions& options);

/// Extents at which kernels break, ascending: 0, 1, around warps, blocks and the tile, primes, several tiles; none
/// above `limit`.
std::vector<std::int64_t> edge_extents(std::int64_t tile, std::int64_t limit);

/// Every combination of types and variants of a pattern that the kernel solves, on the pattern's trace shape.
std::vector<Problem> problems_of(const Pattern& pattern, const Kernel& kernel);

/// `count` valid points: the default, then others drawn from the seed, the whole space when it is no larger.
std::vector<Point> sample_points(const Kernel& kernel, std::size_t count, std::uint64_t seed);

/// Few valid points that have every value of every axis among them, simple ones preferred.
std::vector<Point> covering_points(const Kernel& kernel);

}  // namespace warpwright::conformance
