// Jobs of a GPU thread: reads known results, sets up a problem, gets programs compiled, and times baselines.
#include "tuner/measuring/gpu_thread.hpp"

#include <algorithm>

#include "kernels/core/vocabulary.hpp"
#include "tuner/cost_model/speed_of_light.hpp"
#include "tuner/measuring/baselines.hpp"

namespace warpwright::tuner {

ReadKnown::Result ReadKnown::run(GpuThread& thread, MeasuringSetup& setup) const {
  return {.known = thread.writer.with_store([&](Recorder& recorder) {
    return known_best(recorder, setup.problem, provenance::measured, setup.task.is_for_all_sizes);
  })};
}

SelectProblem::Result SelectProblem::run(GpuThread& thread, MeasuringSetup& setup) const {
  if (thread.selected != &setup) {
    thread.gpu.select(setup.problem, setup.inputs, setup.end);
    thread.selected = &setup;
  }
  Result result;
  if (!measures_rates) {
    result.setting_up_us = thread.gpu.set_up();
    return result;
  }
  const Work& work = setup.work;
  // Arrays that fit into the L2 cannot measure the memory.
  const double least = std::max(4.0 * static_cast<double>(setup.device.l2_bytes), 1048576.0);
  const gpu::Rates reached =
      thread.gpu.rates(static_cast<std::int64_t>(std::max({work.bytes_read, work.bytes_written, least})),
                       static_cast<std::int64_t>(std::max(work.bus_to_device, work.bus_to_host)));
  thread.writer.with_store([&](Recorder& recorder) {
    db::Session seen = recorder.session();
    raise_rates(seen, reached);
    seen.warnings = thread.watch.seen();
    recorder.update_session(seen);
  });
  result.rates = reached;
  result.has_baselines = !thread.gpu.callables(setup.problem).empty();
  // The rates are measured without the problem's buffers.
  result.setting_up_us = thread.gpu.set_up();
  return result;
}

CompilePrograms::Result CompilePrograms::run(GpuThread& thread, MeasuringSetup& /*setup*/) const {
  return {.built = thread.gpu.compile(programs, urgency)};
}

CompareBaselines::Result CompareBaselines::run(GpuThread& thread, MeasuringSetup& setup) const {
  if (!winner) return {};
  if (has_baselines && is_over(setup.end)) return {.notes = {"not measured: the budget was over"}};
  return {.notes = compare_with_baselines(
              thread.gpu,
              {.problem = setup.problem,
               .winner = setup.candidate(winner->configuration),
               .winner_trial = winner->trial_id,
               .winner_us = winner->median_us,
               .bounds = [&](double depth, const std::string& observation) { return setup.bounds(depth, observation); },
               .speed_of_light_us = speed_of_light_us(setup.work, setup.device, rates.bus),
               .now =
                   [&task = setup.task](const std::string& activity) {
                     if (task.progress != nullptr) task.progress->now(task.title, activity);
                   },
               .seed = setup.context.request.seed,
               .end = setup.end},
              thread.writer, setup.context.stop)};
}

}  // namespace warpwright::tuner
