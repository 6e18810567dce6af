// What measuring a task needs and what does not change meanwhile.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "tuner/measuring/counterexample_finder.hpp"
#include "tuner/tasks/budget.hpp"

namespace warpwright::tuner {

struct GpuThread;

/// What all tasks of a queue have in common.
struct TaskContext {
  const Catalogue& catalogue;
  const TuningRequest& request;
  MeasuringGpu& simulator;                ///< compiles for the simulator and asks it, whether its GPU is lost or not
  const std::vector<std::string>& uuids;  ///< of all GPUs whose earlier trials count
  const std::atomic<bool>& stop;          ///< the user asks to end
  const std::atomic<bool>& failed;        ///< something failed that is no GPU's fault
  /// Lets a GPU whose clock is held back rest, unless it is the only one that can work.
  std::function<bool(GpuThread&)> rest;
};

/// One task as its GPUs measure it. For any thread.
struct MeasuringSetup {
  MeasuringSetup(const TaskContext& common, const TuningTask& tuned, Budget::End until);

  gpu::Candidate candidate(const CompiledConfiguration& prepared) const;
  /// How far each output may be from the oracle's, for each input.
  std::vector<std::vector<Bound>> bounds(double depth, const std::string& observation = {}) const;

  const TaskContext& context;
  const TuningTask& task;
  const Problem& problem;
  const Device& device;
  const Pattern& pattern;
  const Work work;
  const std::vector<Input> inputs;
  const Budget::End end;
  CounterexampleFinder finder;
};

}  // namespace warpwright::tuner
