// Measuring tasks on the GPUs of this computer: a thread for each, those of one model together.
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

/// Whether results of one GPU stand for another: same model, multiprocessors and memory.
bool are_alike(const Device& one, const Device& other);

/// GPUs that are alike, and what they measure together.
struct AlikeGpus {
  std::vector<gpu::GpuInfo> gpus;
  std::vector<TuningTask> tasks;
  const TuningContext* context = nullptr;
};

/// What a run that measures has open; all of it must outlive the call.
struct MeasuringRun {
  const Catalogue& catalogue;
  const TuningRequest& request;
  const Budget& budget;
  db::Store& store;
  Progress& progress;
  std::function<std::filesystem::path(const std::string& arch)> worker;  ///< the program that holds a GPU
  std::function<db::Session(const std::string& arch)> session;           ///< a new one, of one GPU
  std::function<db::Environment()> environment;                          ///< what is known without a GPU
};

using TaskMeasured = std::function<void(const TuningTask&, const TaskResult&, const Device&)>;

/// Measures on all of them at the same time; `done` is called for each task afterwards. Gives how many counterexamples
/// of earlier runs still fail. Throws what made all GPUs of a model fail.
int measure_tasks(const MeasuringRun& run, std::vector<AlikeGpus> gpus, const TaskMeasured& done);

}  // namespace warpwright::tuner
