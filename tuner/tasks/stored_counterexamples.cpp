// Trying the counterexamples of earlier runs again.
#include "tuner/tasks/stored_counterexamples.hpp"

#include <algorithm>
#include <set>

#include "kernels/system/say.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {

int replay_stored(const TuningContext& context, const std::vector<TuningTask>& tasks, db::Store& store,
                  std::mutex* store_mutex, const std::optional<conformance::Checker::GpuTarget>& gpu) {
  std::set<std::string> kernels;
  for (const TuningTask& task : tasks)
    for (const Kernel* kernel : task.kernels) kernels.insert(kernel->full_name());
  std::vector<std::string> targets;
  if (cannot_simulate(context).empty()) targets.push_back(context.host());
  if (gpu) targets.push_back(gpu->device.arch());
  worker::Process process;
  conformance::Checker checker(context.catalogue, process, context.build.compiler,
                               conformance::Checker::Compile::when_needed, gpu);
  int failing = 0;
  for (const std::string& kernel : kernels)
    for (const std::string& target : targets) {
      const auto replays = conformance::replay_counterexamples(
          store, context.catalogue, kernel, target, [&](const conformance::Case& test) { return checker.check(test); },
          [](const std::string& line) { program::say("tune: " + line); }, context.stop, store_mutex);
      for (const conformance::Replay& replay : replays)
        if (replay.failed()) program::say("tune: stored counterexample FAILS still: " + replay.stored.repro);
      failing += static_cast<int>(std::ranges::count_if(replays, &conformance::Replay::failed));
    }
  return failing;
}

}  // namespace warpwright::tuner
