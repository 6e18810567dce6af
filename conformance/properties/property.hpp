// The property "this kernel is right": rapidcheck draws params, problem, input and schedule together and shrinks them
// together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "conformance/properties/drawing.hpp"

namespace warpwright::conformance {

/// What a large case may take, by what smaller ones before it took. Seconds; on a GPU nothing is left out.
inline constexpr double kLongestSeconds = 3;

/// What shrinking may take before its last try begins, and that of what hangs, of which a try takes no longer either.
inline constexpr double kShrinkingSeconds = 30, kHangShrinkingSeconds = 5;

/// How the counterexample was looked for.
struct ShrinkingReport {
  int tries = 0;
  double seconds = 0;
  bool out_of_time = false;  ///< simpler cases were left
};

/// What the host target was lenient about, in so many cases.
struct CountedNote {
  Note note;
  int cases = 0;
};

struct PropertyReport {
  const Kernel* kernel = nullptr;
  int cases = 0;
  int refused = 0;      ///< drawn, but no such configuration or problem for this kernel
  std::string skipped;  ///< why nothing that was drawn fits the kernel; empty where something did
  std::string fault;    ///< why nothing can be drawn: see fault_of_default
  int mistrusted = 0;
  int unjudged = 0;                                      ///< cases that reached what the host target has no model of
  std::string not_judged;                                ///< what that is; empty where no case did
  std::optional<simulator::Finding> not_judged_at = {};  ///< and where, where that is known
  double worst_error_ratio = 0;
  std::uint64_t steps = 0, threads = 0;
  double seconds = 0;
  bool interrupted = false;            ///< ended before all its cases
  std::optional<Case> counterexample;  ///< as shrunk
  std::optional<Case> first_failure;   ///< as drawn
  CaseResult failure;                  ///< of the counterexample
  ShrinkingReport shrinking = {};
  CappedEdges capped = {};
  int too_long = 0;  ///< large cases left out, as those before them took so long
  std::vector<CountedNote> notes = {};
  std::vector<std::string> caveats = {};  ///< of the pattern

  bool ok() const { return !counterexample; }
  /// That of the counterexample; without one: not run (neither a case nor a reason why there is none), skipped, not
  /// judged, or passed.
  Verdict verdict() const;
  int judged() const { return cases - unjudged; }
  void add(const Note& note, int in_cases);
  /// What other cases of the same kernel came to.
  void add(PropertyReport more);
};

/// What the kernel declares that no case of the report needed; nothing where cases are missing.
std::vector<Lenience> unneeded_lenience(const PropertyReport& report);

/// Deterministic in the options, but for deadline and stop, for large cases that would take long, and for what
/// shrinking comes to in its time: 30 seconds, 5 where it hangs.
PropertyReport run_property(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                            const PropertyOptions& options);

/// What is wrong with the default of a kernel's params, which must be a point of its space; empty for nothing.
std::string fault_of_default(const Pattern& pattern, const Kernel& kernel, const Device& device);

/// Every combination of types and variants of a pattern, on the pattern's trace shape, or on the kernel's tile where it
/// refuses that; but those of which it refuses both for its default params are left out where others are left.
std::vector<Problem> problems_of(const Pattern& pattern, const Kernel& kernel, const Device& device);

/// `count` valid points: the default, then others drawn from the seed, the whole space when it is no larger. Each is
/// the one of 64 that are drawn at random with the most pairs of values that no point before has. Source: D. Cohen et
/// al., The AETG System, IEEE Transactions on Software Engineering 23(7), 1997.
std::vector<Point> sample_points(const Kernel& kernel, const Surroundings& surroundings, std::size_t count,
                                 std::uint64_t seed);

/// Few valid points that have every value of every axis among them, simple ones preferred.
std::vector<Point> covering_points(const Kernel& kernel, const Surroundings& surroundings);

}  // namespace warpwright::conformance
