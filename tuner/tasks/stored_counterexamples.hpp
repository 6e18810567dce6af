// Counterexamples of earlier runs, which every run of `tune` tries again first.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "conformance/checks/case_runner.hpp"
#include "conformance/suite/counterexamples.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Counterexamples stored of one kernel for one problem in one run: more are mostly the same mistake.
inline constexpr int kKeptCounterexamples = 3;

/// Runs the stored counterexamples of the tasks' kernels again: those of the simulator, where that has a compiler, and
/// those of the GPU, if there is one. Says what became of each on stderr, and gives how many still fail. Where other
/// threads use the store, they and this lock `store_mutex` for that.
int replay_stored(const TuningContext& context, const std::vector<TuningTask>& tasks, db::Store& store,
                  std::mutex* store_mutex = nullptr, const std::optional<conformance::GpuTarget>& gpu = std::nullopt);

}  // namespace warpwright::tuner
