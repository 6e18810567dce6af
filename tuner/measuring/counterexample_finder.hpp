// Stores wrong results that `tune` finds as counterexamples. The next run of `tune` or `conform` begins with them.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/measuring/trial_writer.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/stored_counterexamples.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// The counterexamples of one problem, on all of its GPUs. Thread-safe.
class CounterexampleFinder {
 public:
  /// All must outlive it.
  CounterexampleFinder(const Problem& problem, const Problem& small, const TuningRequest& request,
                       const Budget::End& end, const std::atomic<bool>& stop)
      : problem_(problem), small_(small), request_(request), end_(end), stop_(stop) {}

  /// For a configuration with a wrong result on that GPU. Searches a small case that is wrong too, and stores it after
  /// shrinking; if there is none, stores the problem itself. Returns the repro hint to append to the trial's detail;
  /// empty if nothing was stored.
  std::string keep(MeasuringGpu& gpu, TrialWriter& writer, const CompiledConfiguration& configuration,
                   const gpu::Outcome& outcome);

 private:
  bool may_keep(const Kernel* kernel);

  const Problem& problem_;
  const Problem& small_;  ///< for cases with other shapes
  const TuningRequest& request_;
  const Budget::End& end_;
  const std::atomic<bool>& stop_;
  std::mutex mutex_;
  std::map<const Kernel*, int> kept_;
};

}  // namespace warpwright::tuner
