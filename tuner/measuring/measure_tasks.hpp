// Measures tasks on the GPUs of this computer: one thread for each; GPUs of one model work together.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "db/store/store.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/messages/gpu.hpp"
#include "tuner/measuring/task_tuner.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/progress.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Whether results of one GPU are valid for another: same model, multiprocessors and memory.
bool are_alike(const Device& one, const Device& other);

/// GPUs that are alike, and the tasks that they measure together.
struct AlikeGpus {
  std::vector<gpu::GpuInfo> gpus;
  std::vector<TuningTask> tasks;
  const TuningContext* context = nullptr;
};

/// The resources of a run that measures; all of them must outlive the call.
struct MeasuringRun {
  const Catalogue& catalogue;
  const TuningRequest& request;
  const Budget& budget;
  db::Store& store;
  Progress& progress;
  std::function<std::filesystem::path(const std::string& arch)> worker;  ///< the worker program for a GPU
  std::function<db::Session(const std::string& arch)> session;           ///< makes a new one, for one GPU
  std::function<db::Environment()> environment;                          ///< the part that is known without a GPU
};

using TaskMeasured = std::function<void(const TuningTask&, const TaskResult&, const Device&)>;

/// Measures on all GPUs at the same time; afterwards `done` is called for each task. Returns how many counterexamples
/// of earlier runs still fail. If all GPUs of a model fail, throws the error of the last.
int measure_tasks(const MeasuringRun& run, std::vector<AlikeGpus> gpus, const TaskMeasured& done);

}  // namespace warpwright::tuner
