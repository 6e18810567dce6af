// The problem of a task, its inputs and bounds.
#include "tuner/measuring/measuring_setup.hpp"

#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/problem_setup.hpp"
#include "tuner/measuring/compile_ahead.hpp"

namespace warpwright::tuner {

MeasuringSetup::MeasuringSetup(const TaskContext& common, const TuningTask& tuned)
    : context(common),
      task(tuned),
      problem(tuned.problem),
      device(common.simulator.device()),
      pattern(common.catalogue.pattern(problem.pattern)),
      small(conformance::with_few_repetitions(pattern, problem)),
      work(pattern.work(problem)),
      inputs(session_inputs(pattern, problem, common.request.seed)),
      is_answered_on_cpu(pattern.reference && !host_functions_of(pattern.reference(problem, device).plan).empty()),
      finder(problem, small, common.request, end, common.stop) {}

gpu::Candidate MeasuringSetup::candidate(const CompiledConfiguration& configuration) const {
  return {.plan = configuration.plan,
          .built = configuration.built,
          .bounds = bounds(configuration.kernel->depth(configuration.params, problem, device))};
}

std::vector<std::vector<Bound>> MeasuringSetup::bounds(double depth, const std::string& observation) const {
  return conformance::problem_bounds(pattern, problem, device, inputs, depth, observation);
}

}  // namespace warpwright::tuner
