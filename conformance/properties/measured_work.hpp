// Measures what a user's kernel costs where it is not known.
#pragma once

#include "conformance/checks/checker.hpp"
#include "conformance/properties/drawing.hpp"

namespace warpwright::conformance {

/// The accesses and waits of the simulator for each step of work, at most 1, where a job states no steps and has fewer
/// results than threads: its steps are then a guess that may be far too high (all threads of a block read everything).
/// Runs the first params on one tile. 1 for other kernels, or if that case is not right.
double accesses_per_step(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                         const PropertyOptions& options);

/// The time of a run on a usual CPU. No clock, so that the same cases run on each machine.
double usual_seconds(const CaseResult& result);
/// The time that the run's work took: of a short run, most of the measured time is something else.
double own_seconds(const CaseResult& result);

}  // namespace warpwright::conformance
