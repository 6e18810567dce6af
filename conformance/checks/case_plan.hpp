// What a case needs before it runs: its program, its work, and whether its kernel accepts it.
#pragma once

#include <optional>
#include <string>

#include "conformance/cases/case.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/model/pattern.hpp"
#include "kernels/model/program.hpp"

namespace warpwright::conformance {

/// The problem for cases with other, small shapes: numbers that multiply the work, such as how many matrix products
/// there are, are reduced, so that such a case is small.
Problem with_few_repetitions(const Pattern& pattern, Problem problem);

/// The problem on which the accesses of a configuration are counted: the pattern's trace problem, or `problem` itself
/// if it is smaller.
Problem traced_problem(const Catalogue& catalogue, const Problem& problem);

/// The same for a configuration, which must accept it: if the kernel refuses that problem, its extents are reduced to
/// those of `problem`, all of them or all but one. Nothing if it refuses these too.
std::optional<Problem> traced_problem(const Catalogue& catalogue, const Kernel& kernel, const Point& params,
                                      const Problem& problem, const Device& device);

/// Why a case cannot run on a device: its params break a constraint of the space (rejected), or the kernel refuses it
/// (skipped).
struct Refusal {
  Verdict verdict = Verdict::rejected;
  std::string reason;
};
std::optional<Refusal> refusal_of(const Case& test, const Device& device);

/// Steps of all threads that the kernel takes on the problem: its own figure, or the pattern's.
double steps_of(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem);

/// The most steps that a check with any input may take: a kernel's own figure holds for the problem's data, the
/// pattern's figure for its oracle.
double most_steps_of(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem);

/// The values that constraints of a space refer to.
Surroundings surroundings_of(const Problem& problem, const Device& device);

/// The program of a configuration, for a problem of any size. It contains the entries of the plan for this problem, and
/// those for its traced problem, if there is one, so that small and empty problems need no program of their own.
Program program_for(const Catalogue& catalogue, const Kernel& kernel, const Point& params, const Problem& problem,
                    const Device& device);

}  // namespace warpwright::conformance
