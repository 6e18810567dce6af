// Draws the cases of a property: the configurations, problems, inputs and schedules at which kernels tend to break.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/case.hpp"
#include "conformance/checks/case_runner.hpp"
#include "conformance/properties/shapes.hpp"

namespace warpwright::conformance {

struct PropertyOptions {
  std::string target = host_target();
  int cases = 200;
  std::uint64_t seed = 1;
  std::vector<Point> params;      ///< the points to draw from, the simplest first
  std::vector<Problem> problems;  ///< the problems to draw types and settings from; their shapes are not used
  bool draw_numbers = true;       ///< also draw the problem's named numbers; else those of `problems` are used
  /// Shapes of the first cases, in turn, if the kernel accepts them; then follow those of `drawn_before`.
  std::vector<std::vector<std::int64_t>> shapes = {};
  /// Shapes that are too large to run: on the simulator some blocks of each launch run, with the first params.
  std::vector<std::vector<std::int64_t>> sampled = {};
  double max_steps = 8192;  ///< limit for the work of a problem, in steps; see draw_cases
  /// As what part of a step those of a job count that states none and has few results; none: it is measured.
  std::optional<double> accesses_per_step = std::nullopt;
  /// If set, the first cases include long sums of terms of one sign (if the pattern rounds) and large problems, and
  /// some later cases are large. The value is the number of cases that earlier runs of this property drew.
  std::optional<int> drawn_before = std::nullopt;
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  const std::atomic<bool>* stop = nullptr;  ///< ends the run when set to true
  /// Time limit of the run, counted from the end of its first case.
  std::optional<std::chrono::steady_clock::duration> slice = std::nullopt;
  /// If a case of a user's kernel takes longer, in seconds, no other one that is as large runs.
  double longest_seconds = 3;
  bool shrink = true;  ///< look for a simpler counterexample than the first one
  bool remark = true;  ///< audit the cases, list what they launch, and say what would tolerate a failure's finding
  /// The audit also has the oracle answer the cases with other inputs, which takes as long as the case itself.
  bool changes_inputs = true;
  int equal_bits = 0;       ///< if set, nothing is drawn: the outputs of so many runs of each of `problems` (with their
                            ///< shapes and own data) must have equal bits
  int equal_bits_from = 0;  ///< in the simulator: under schedule 0 and those after this number
  bool determinism = false;  ///< the first case checks determinism, if the kernel declares it
  RunLimits limits = {};     ///< of each run
};

struct DrawnCases {
  std::vector<Case> cases;
  int refused = 0;          ///< number of cases drawn again because the configuration does not exist or does not accept
                            ///< the problem
  std::string last_reason;  ///< why the last of them was refused; preferably the kernel's own reason
  CappedEdges capped = {};
};

/// The cases that such a run would check, in order. A problem has at most `max_steps` steps of work; one in sixteen,
/// and the long sums, eight times as many; the large problems 24 times as many. A shape near the kernel's tile or its
/// own edge shapes may have 64 times as many. Calls `is_over` before each case.
DrawnCases draw_cases(const Catalogue& catalogue, const Kernel& kernel, const Device& device,
                      const PropertyOptions& options, const std::function<bool()>& is_over = {});

/// Draws the same cases up to case number `failed`, then simpler and simpler ones: rapidcheck shrinks the last case for
/// which `fails` returned true.
void draw_simpler(const Catalogue& catalogue, const Kernel& kernel, const Device& device,
                  const PropertyOptions& options, std::size_t failed, const std::function<bool(const Case&)>& fails);

/// Values of a number at which kernels tend to break, the preferred value first.
std::vector<double> edge_values(const Number& number);

}  // namespace warpwright::conformance
