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
  std::string target = host_target();
  int cases = 200;
  std::uint64_t seed = 1;
  std::vector<Point> params;      ///< drawn from these, the simplest first
  std::vector<Problem> problems;  ///< types and settings are drawn from these; their shapes are not used
  bool draw_numbers = true;       ///< draw the problem's named numbers too; else they are those of `problems`
  std::vector<std::vector<std::int64_t>> shapes = {};  ///< of the first cases, in turn, where the kernel takes them
  double max_steps = 8192;                             ///< of a problem's work; see draw_cases
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  const std::atomic<bool>* stop = nullptr;  ///< ends the run when it becomes true
  /// Ends the run so long after its first case, which it waits for.
  std::optional<std::chrono::steady_clock::duration> slice = std::nullopt;
  bool shrink = true;        ///< look for a simpler counterexample than the first
  bool determinism = false;  ///< the first case is one of determinism, where the kernel declares it
};

struct PropertyReport {
  const Kernel* kernel = nullptr;
  int cases = 0;
  int refused = 0;      ///< drawn, but no such configuration or problem for this kernel
  std::string skipped;  ///< why nothing that was drawn fits the kernel; empty where something did
  int mistrusted = 0;
  int unjudged = 0;        ///< cases that reached what the host target has no model of
  std::string not_judged;  ///< what that is; empty where no case did
  double worst_error_ratio = 0;
  std::uint64_t steps = 0, threads = 0;
  double seconds = 0;
  bool interrupted = false;            ///< ended before all its cases
  std::optional<Case> counterexample;  ///< as shrunk
  std::optional<Case> first_failure;   ///< as drawn
  CaseResult failure;                  ///< of the counterexample

  bool ok() const { return !counterexample; }
  /// That of the counterexample; without one: not run (neither a case nor a reason why there is none), skipped, not
  /// judged, or passed.
  Verdict verdict() const;
  int judged() const { return cases - unjudged; }
};

/// Deterministic in the options, but for deadline and stop.
PropertyReport run_property(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                            const PropertyOptions& options);

struct DrawnCases {
  std::vector<Case> cases;
  int refused = 0;          ///< drawn again: no such configuration, or none for that problem
  std::string last_reason;  ///< why the last of them was refused, by the kernel where it refused one
};

/// The cases that such a run would check, in order. A problem has at most `max_steps` steps of work, one in sixteen
/// eight times as many, or what a shape around the kernel's tile takes, if that is not 64 times as many.
DrawnCases draw_cases(const Catalogue& catalogue, const Kernel& kernel, const Device& device,
                      const PropertyOptions& options);

/// Extents at which kernels break, ascending: 0, 1, around warps, blocks and the tile, primes, several tiles; none
/// above `limit`.
std::vector<std::int64_t> edge_extents(std::int64_t tile, std::int64_t limit);

/// Values of a number at which kernels break, the preferred one first.
std::vector<double> edge_values(const Number& number);

/// Every combination of types and variants of a pattern, on the pattern's trace shape, or on the kernel's tile where it
/// refuses that; but those of which it refuses both for its default params are left out where others are left.
std::vector<Problem> problems_of(const Pattern& pattern, const Kernel& kernel, const Device& device);

/// `count` valid points: the default, then others drawn from the seed, the whole space when it is no larger.
std::vector<Point> sample_points(const Kernel& kernel, const Surroundings& surroundings, std::size_t count,
                                 std::uint64_t seed);

/// Few valid points that have every value of every axis among them, simple ones preferred.
std::vector<Point> covering_points(const Kernel& kernel, const Surroundings& surroundings);

}  // namespace warpwright::conformance
