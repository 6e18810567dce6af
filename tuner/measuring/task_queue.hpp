// The queue of tasks that GPUs of one model measure together.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tuner/measuring/task_tuner.hpp"

namespace warpwright::tuner {

/// Gives each GPU a job of the first task that has one for it. All GPUs share the search of a task; the last one to
/// leave it ranks the finalists, while the others work on the next task. Nothing waits for a GPU or a compiler under
/// the lock.
class TaskQueue {
 public:
  struct Options {
    const Catalogue& catalogue;
    const std::vector<TuningTask>& tasks;
    const TuningRequest& request;
    std::function<Budget::End(std::size_t task)> end;  ///< of a task that begins now
    std::function<void(const TaskResult& result)> done;
    const std::atomic<bool>& stop;
    std::atomic<bool>& failed;            ///< a fault that no GPU caused: ends all GPUs of the run
    std::vector<std::string> uuids = {};  ///< of all GPUs, also of those that do not work yet
    std::chrono::steady_clock::duration rest = std::chrono::seconds(5);  ///< of a GPU with a reduced clock
  };

  explicit TaskQueue(Options options) : options_(std::move(options)), tuners_(options_.tasks.size()) {}

  /// Measures on that GPU, in its thread, until this and all other GPUs are done. Throws GpuLost if the GPU is lost;
  /// its work is left to the others. Any other exception ends the others too.
  void work(GpuThread& thread);

  bool is_done() const;
  /// The result of a task so far; null if no GPU has begun it. Only to be called when no GPU works.
  const TaskResult* result(std::size_t task) const {
    return tuners_[task] && tuners_[task]->has_begun() ? &tuners_[task]->result() : nullptr;
  }

 private:
  bool has_ended() const { return options_.stop || options_.failed || finished_ == tuners_.size(); }
  void begin(GpuThread& thread);
  void leave(const GpuThread& thread);
  bool has_replacement(const GpuThread& thread) const;
  bool rest(GpuThread& thread);
  std::optional<Job> next(GpuThread& thread);
  NextStep step(GpuThread& thread);
  TaskTuner& tuner(std::size_t task);
  std::optional<Job> compile_early(GpuThread& thread);
  Measurement run(const Job& job);
  void done(const Job& job, Measurement measurement);

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< notified when a job is done or given back
  std::vector<const GpuThread*> working_;
  std::optional<TaskContext> context_;
  std::vector<std::unique_ptr<TaskTuner>> tuners_;  ///< for tasks that have begun, or were compiled for early
  std::size_t finished_ = 0;
};

}  // namespace warpwright::tuner
