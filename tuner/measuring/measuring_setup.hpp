// The setup for measuring a task.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "tuner/measuring/counterexample_finder.hpp"
#include "tuner/tasks/budget.hpp"

namespace warpwright::tuner {

struct GpuThread;

/// Shared by all tasks of a queue.
struct TaskContext {
  const Catalogue& catalogue;
  const TuningRequest& request;
  MeasuringGpu& simulator;                ///< compiles for the simulator and runs it, even if its GPU is lost
  const std::vector<std::string>& uuids;  ///< all GPUs whose earlier trials are valid
  const std::atomic<bool>& stop;          ///< the user requests a stop
  const std::atomic<bool>& failed;        ///< something failed that no GPU caused
  /// Lets a GPU with a reduced clock rest, unless it is the only one that can work.
  std::function<bool(GpuThread&)> rest;
};

/// One task as its GPUs measure it. Thread-safe once the task has begun.
struct MeasuringSetup {
  MeasuringSetup(const TaskContext& common, const TuningTask& tuned);

  gpu::Candidate candidate(const CompiledConfiguration& configuration) const;
  /// The bound of each output, for each input.
  std::vector<std::vector<Bound>> bounds(double depth, const std::string& observation = {}) const;

  const TaskContext& context;
  const TuningTask& task;
  const Problem& problem;
  const Device& device;
  const Pattern& pattern;
  const Problem small;  ///< for cases with small shapes
  const Work work;
  const std::vector<Input> inputs;
  const bool is_answered_on_cpu;  ///< a function of the CPU computes the right answers
  Budget::End end;                ///< set when the task begins
  CounterexampleFinder finder;
};

}  // namespace warpwright::tuner
