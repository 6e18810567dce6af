// From problem to problem, as a board has time.
#include "tuner/measuring/task_queue.hpp"

#include "kernels/system/stop.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::chrono::milliseconds kPoll{100};

}  // namespace

void Sharing::work(Rig& board) {
  if (!setting_)
    setting_.emplace(TaskTuner::Setting{task_.catalogue, task_.request, shared_, board.bench.behind(), boards_,
                                        task_.uuids, task_.stop, task_.rest});
  boards_.push_back(&board);
  const auto leave = [&] {
    std::erase(boards_, &board);
    shared_.changed.notify_all();
  };
  try {
    go_round(board);
  } catch (const GpuLost&) {
    leave();
    throw;
  } catch (...) {
    shared_.failed = true;
    leave();
    throw;
  }
  leave();
}

void Sharing::go_round(Rig& board) {
  while (!task_.stop && !shared_.failed && !is_done()) {
    const auto task = next();
    if (!task) {
      shared_.changed.wait_for(board.turn, kPoll);
      continue;
    }
    TaskTuner& run = *runs_[*task];
    if (run.join(board) && !shared_.failed) {
      ++finished_;
      task_.done(run.result());
    }
    shared_.changed.notify_all();
  }
}

std::optional<std::size_t> Sharing::next() {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i]) runs_[i] = std::make_unique<TaskTuner>(*setting_, task_.tasks[i], task_.end(i));
    if (runs_[i]->has_work()) return i;
  }
  return std::nullopt;
}

}  // namespace warpwright::tuner
