// Counterexamples of earlier runs, which every run of `tune` runs again first.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "conformance/checks/case_runner.hpp"
#include "conformance/suite/counterexamples.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Most counterexamples stored for one kernel and problem in one run: further ones mostly show the same mistake.
inline constexpr int kKeptCounterexamples = 3;

/// Runs the stored counterexamples of the tasks' kernels again: those of the simulator, if it has a compiler, and those
/// of the GPU, if there is one. Prints the result of each to stderr, and returns how many still fail. If other threads
/// use the store, they and this function lock `store_mutex`.
int replay_stored(const TuningContext& context, const std::vector<TuningTask>& tasks, db::Store& store,
                  std::mutex* store_mutex = nullptr, const std::optional<conformance::GpuTarget>& gpu = std::nullopt);

}  // namespace warpwright::tuner
