// Drawing the cases of a property: configurations, problems, inputs and schedules at which kernels break.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "conformance/properties/shapes.hpp"

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
  /// Not empty: among the first cases are long sums of one sign, where the pattern rounds, and large problems; some
  /// large ones come later. So many cases were drawn before these, by earlier runs of the same property.
  std::optional<int> drawn_before = std::nullopt;
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  const std::atomic<bool>* stop = nullptr;  ///< ends the run when it becomes true
  /// Ends the run so long after its first case, which it waits for.
  std::optional<std::chrono::steady_clock::duration> slice = std::nullopt;
  bool shrink = true;        ///< look for a simpler counterexample than the first
  bool determinism = false;  ///< the first case is one of determinism, where the kernel declares it
};

struct DrawnCases {
  std::vector<Case> cases;
  int refused = 0;          ///< drawn again: no such configuration, or none for that problem
  std::string last_reason;  ///< why the last of them was refused, by the kernel where it refused one
  CappedEdges capped = {};
};

/// The cases that such a run would check, in order. A problem has at most `max_steps` steps of work, one in sixteen and
/// the long sums eight times as many, the large problems 24 times. A shape around the kernel's tile and its own edges
/// may have 64 times as many. Asks `is_over` before each case.
DrawnCases draw_cases(const Catalogue& catalogue, const Kernel& kernel, const Device& device,
                      const PropertyOptions& options, const std::function<bool()>& is_over = {});

/// The same draws up to case number `failed`, then simpler and simpler ones: what rapidcheck makes of the last for
/// which `fails` was true.
void draw_simpler(const Catalogue& catalogue, const Kernel& kernel, const Device& device,
                  const PropertyOptions& options, std::size_t failed, const std::function<bool(const Case&)>& fails);

/// Values of a number at which kernels break, the preferred one first.
std::vector<double> edge_values(const Number& number);

}  // namespace warpwright::conformance
