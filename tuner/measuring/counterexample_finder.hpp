// Wrong answers that `tune` meets become counterexamples, which the next run of `tune` and `conform` begins with.
#pragma once

#include <map>
#include <string>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/records/recorder.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/stored_counterexamples.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Those of one problem on GPUs.
class CounterexampleFinder {
 public:
  /// All must outlive it.
  CounterexampleFinder(const Problem& problem, const TuningRequest& request, const std::atomic<bool>& stop)
      : problem_(problem), request_(request), stop_(stop) {}

  /// Of a configuration with a wrong answer on that GPU: looks for a small case that is wrong too, and stores it,
  /// shrunk; where there is none, stores the problem itself. Gives the hint that reproduces what was stored, for the
  /// end of the trial's detail; empty where nothing was.
  std::string keep(MeasuringGpu& bench, Recorder& recorder, const CompiledConfiguration& prepared,
                   const gpu::Outcome& outcome);

 private:
  const Problem& problem_;
  const TuningRequest& request_;
  const std::atomic<bool>& stop_;
  std::map<const Kernel*, int> kept_;
};

}  // namespace warpwright::tuner
