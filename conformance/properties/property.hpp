// The property "this kernel is correct": rapidcheck draws params, problem, input and schedule together and shrinks them
// together.
#pragma once

#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "conformance/properties/drawing.hpp"
#include "conformance/properties/property_report.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::conformance {

/// A large case is skipped if it would take longer than this many seconds, estimated from smaller ones; never on a GPU.
inline constexpr double kLongestSeconds = 3 * time_factor;

/// Seconds after which shrinking starts no more tries. For a hang it is also the time limit of one try.
inline constexpr double kShrinkingSeconds = 30, kHangShrinkingSeconds = 5;

/// Deterministic for given options, except for deadline and stop, for skipping large cases that would take long, and
/// for what shrinking finds in its time (30 seconds; 5 for a hang).
PropertyReport run_property(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                            const PropertyOptions& options);

/// What is wrong with the default of a kernel's params, which must be a point of its space; empty if nothing is.
std::string fault_of_default(const Pattern& pattern, const Kernel& kernel, const Device& device);

/// All combinations of a pattern's types and variants, on the pattern's trace shape, or on the kernel's tile if it
/// refuses that shape. Those that the kernel refuses on both with its default params are omitted, unless that leaves
/// none.
std::vector<Problem> problems_of(const Pattern& pattern, const Kernel& kernel, const Device& device);

}  // namespace warpwright::conformance
