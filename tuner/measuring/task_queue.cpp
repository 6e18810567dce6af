// Gives jobs to GPUs.
#include "tuner/measuring/task_queue.hpp"

#include <algorithm>

namespace warpwright::tuner {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPoll{20};

}  // namespace

void TaskQueue::work(GpuThread& thread) {
  begin(thread);
  try {
    while (const auto job = next(thread)) done(*job, run(*job));
  } catch (const GpuLost&) {
    leave(thread);
    throw;
  } catch (...) {
    options_.failed = true;
    leave(thread);
    throw;
  }
  leave(thread);
}

void TaskQueue::begin(GpuThread& thread) {
  const std::scoped_lock lock(mutex_);
  working_.push_back(&thread);
  if (context_) return;
  context_.emplace(TaskContext{.catalogue = options_.catalogue,
                               .request = options_.request,
                               .simulator = thread.gpu,
                               .uuids = options_.uuids,
                               .stop = options_.stop,
                               .failed = options_.failed,
                               .rest = [this](GpuThread& throttled) { return rest(throttled); }});
}

void TaskQueue::leave(const GpuThread& thread) {
  const std::scoped_lock lock(mutex_);
  std::erase(working_, &thread);
}

/// Whether another GPU works and does not rest.
bool TaskQueue::has_replacement(const GpuThread& thread) const {
  return std::ranges::any_of(
      working_, [&](const GpuThread* other) { return other != &thread && Clock::now() >= other->rests_until; });
}

bool TaskQueue::rest(GpuThread& thread) {
  const std::scoped_lock lock(mutex_);
  if (!has_replacement(thread)) return false;
  thread.rests_until = Clock::now() + options_.rest;
  return true;
}

bool TaskQueue::is_done() const {
  const std::scoped_lock lock(mutex_);
  return finished_ == tuners_.size();
}

/// Waits for a job; empty if there will be none.
std::optional<Job> TaskQueue::next(GpuThread& thread) {
  std::unique_lock lock(mutex_);
  while (!has_ended()) {
    NextStep found = step(thread);
    if (auto* job = std::get_if<Job>(&found)) return std::move(*job);
    if (const auto* wait = std::get_if<Wait>(&found); wait != nullptr && wait->until) {
      lock.unlock();
      wait->until(kPoll);
      lock.lock();
    } else {
      changed_.wait_for(lock, kPoll);
    }
  }
  return std::nullopt;
}

/// A GPU stays with its task as long as the task has work for it.
NextStep TaskQueue::step(GpuThread& thread) {
  const auto ask = [&](TaskTuner* task) {
    NextStep found = task->next(thread, Clock::now() < thread.rests_until && has_replacement(thread));
    thread.task = std::holds_alternative<std::monostate>(found) ? nullptr : task;
    return found;
  };
  if (thread.task != nullptr) {
    if (thread.task->has_ended_search())
      if (auto early = compile_early(thread)) return *std::move(early);
    NextStep found = ask(thread.task);
    if (thread.task != nullptr) return found;
  }
  for (std::size_t i = 0; i < tuners_.size(); ++i) {
    if (TaskTuner& task = tuner(i); !task.has_begun()) task.begin(options_.end(i));
    NextStep found = ask(tuners_[i].get());
    if (thread.task != nullptr) return found;
  }
  return {};
}

TaskTuner& TaskQueue::tuner(std::size_t i) {
  if (!tuners_[i]) tuners_[i] = std::make_unique<TaskTuner>(*context_, options_.tasks[i], i + 1 < tuners_.size());
  return *tuners_[i];
}

/// Compilers have little to do while a GPU ranks and compares: they compile for the next task.
std::optional<Job> TaskQueue::compile_early(GpuThread& thread) {
  const auto next = std::ranges::find_if(tuners_, [](const auto& one) { return !one || !one->has_begun(); });
  if (next == tuners_.end()) return std::nullopt;
  return tuner(static_cast<std::size_t>(next - tuners_.begin())).compile_early(thread);
}

/// Without the lock. A failed job becomes available to other GPUs again.
Measurement TaskQueue::run(const Job& job) {
  try {
    return std::visit([&](const auto& what) -> Measurement { return what.run(*job.thread, *job.setup); }, job.what);
  } catch (const worker::AnswersLate& late) {
    return Late{late.what()};
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    job.task->give_back(job);
    changed_.notify_all();
    throw;
  }
}

void TaskQueue::done(const Job& job, Measurement measurement) {
  const std::scoped_lock lock(mutex_);
  if (job.task->done(job, std::move(measurement)) && !options_.failed) {
    ++finished_;
    options_.done(job.task->result());
  }
  changed_.notify_all();
}

}  // namespace warpwright::tuner
