// Problems that the boards of one model measure together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tuner/measuring/task_tuner.hpp"

namespace warpwright::tuner {

/// Each board's thread works at the first problem that has something for it: at its search, or, who comes last, at its
/// finalists, while the others are at the next problem.
class Sharing {
 public:
  struct Task {
    const Catalogue& catalogue;
    const std::vector<TuningTask>& tasks;
    const TuningRequest& request;
    std::function<Budget::End(std::size_t task)> end;  ///< of an task that is begun now
    std::function<void(const MeasuredTask& result)> done;
    const std::atomic<bool>& stop;
    std::vector<std::string> uuids = {};                  ///< of the GPUs, also of those that do no work yet
    Rig::Clock::duration rest = std::chrono::seconds(5);  ///< of a board whose clock is held back
  };

  Sharing(Shared& shared, Task task) : shared_(shared), task_(std::move(task)), runs_(task_.tasks.size()) {}

  /// Works until all is done, also by others. The thread has the board's turn. Throws GpuLost where the board does
  /// its work no more, which is left to the others; whatever else is thrown ends them too.
  void work(Rig& board);

  bool is_done() const { return finished_ == runs_.size(); }
  /// What came of an task so far; null where nobody has begun with it.
  const MeasuredTask* result(std::size_t task) const { return runs_[task] ? &runs_[task]->result() : nullptr; }

 private:
  std::optional<std::size_t> next();
  void go_round(Rig& board);

  Shared& shared_;
  const Task task_;
  std::vector<Rig*> boards_;
  std::optional<TaskTuner::Setting> setting_;
  std::vector<std::unique_ptr<TaskTuner>> runs_;  ///< of the tasks that were begun
  std::size_t finished_ = 0;
};

}  // namespace warpwright::tuner
