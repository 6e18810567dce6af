// Counts the accesses of a problem itself, which may be too large to run.
#pragma once

#include <array>
#include <optional>

#include "conformance/checks/checker.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// Three problems that differ from `problem` only in one extent, which does not change the launches: it only makes
/// loops longer. They are 1, 2 and 3 steps long.
struct ShorterProblems {
  std::array<Problem, 3> problems;
  double steps = 0;  ///< of `problem`
};

/// The shortest ones, if they are much shorter than `problem` together. A step is a multiple of 32, so that rows are
/// aligned alike.
std::optional<ShorterProblems> shorter_problems(const Kernel& kernel, const Point& params, const Problem& problem,
                                                const Device& device);

/// The accesses of a problem, from those of shorter ones of 1 to 3 steps. Nothing if one of the counts does not grow by
/// the same number from step to step.
std::optional<conformance::CountedAccess> extrapolated(const std::array<conformance::CountedAccess, 3>& shorter,
                                                       double steps);

/// As Checker::count_blocks(). If an extent only makes loops longer, counts three shorter problems in place of this
/// one.
conformance::CaseResult count_accesses(conformance::Checker& checker, const conformance::Case& test,
                                       std::optional<conformance::CountedAccess>& access);

/// A part of the traced problem that is enough to compare outputs, if accesses need not be counted in it.
Problem compared_problem(const Catalogue& catalogue, const Kernel& kernel, const Point& params, const Problem& problem,
                         const Device& device);

}  // namespace warpwright::tuner
