// Runs the counterexamples of earlier runs again.
#include "tuner/tasks/stored_counterexamples.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "conformance/checks/checker.hpp"
#include "kernels/system/say.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {

int replay_stored(const TuningContext& context, const std::vector<TuningTask>& tasks, db::Store& store,
                  std::mutex* store_mutex, const std::optional<conformance::GpuTarget>& gpu) {
  std::set<std::string> kernels;
  for (const TuningTask& task : tasks)
    for (const Kernel* kernel : task.kernels) kernels.insert(kernel->full_name());
  worker::Process process(context.build.stop);
  std::map<std::string, conformance::Checker> checkers;  // by target; "host/sm_XX" is before "sm_XX"
  if (cannot_simulate(context).empty()) checkers.emplace(context.host(), host_checker(context, process));
  if (gpu)
    checkers.emplace(gpu->device.arch(), conformance::Checker(context.catalogue, process, context.build.compiler, *gpu,
                                                              {.answers = context.answers}));
  int failing = 0;
  for (const std::string& kernel : kernels)
    for (auto& [target, checker] : checkers) {
      const auto replays = conformance::replay_counterexamples(
          store, context.catalogue, kernel, target,
          [&checker = checker](const conformance::Case& test) { return checker.check(test); },
          [](const std::string& line) { program::say("tune: " + line); }, context.stop, store_mutex);
      for (const conformance::Replay& replay : replays)
        if (replay.failed()) program::say("tune: stored counterexample FAILS still: " + replay.stored.repro);
      failing += static_cast<int>(std::ranges::count_if(replays, &conformance::Replay::failed));
    }
  return failing;
}

}  // namespace warpwright::tuner
