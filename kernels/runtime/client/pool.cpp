// The threads of a pool.
#include "kernels/runtime/client/pool.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <system_error>

#include "kernels/system/environment_check.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {
namespace {

/// The pool and the worker of the task that this thread runs.
struct Place {
  const Pool* pool = nullptr;
  Process* process = nullptr;
};
thread_local Place place;

}  // namespace

Pool::Pool(unsigned workers, const Stop& stop, int niceness) : stop_(stop), niceness_(niceness) {
  check_environment();
  const unsigned count = workers > 0 ? workers : std::max(1U, std::thread::hardware_concurrency());
  try {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& refused) {
    close();
    throw EnvironmentFault(fmt::format("only {} of {} threads can be started ({}): see ulimit -u and free memory",
                                       threads_.size(), count, refused.what()));
  }
}

Pool::~Pool() {
  close();
}

void Pool::close() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

Process* Pool::own_worker() const {
  return place.pool == this ? place.process : nullptr;
}

void Pool::push(std::function<void(Process&)> task, Urgency urgency) {
  {
    const std::scoped_lock lock(mutex_);
    tasks_[urgency].push_back(std::move(task));
  }
  changed_.notify_one();
}

void Pool::work() {
  // On Linux this is about the calling thread alone, and the processes that it starts inherit it.
  if (niceness_ > 0) ::setpriority(PRIO_PROCESS, 0, niceness_);
  Process process(stop_);
  place = {.pool = this, .process = &process};
  while (true) {
    std::function<void(Process&)> task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
      if (closing_) return;
      auto& next = tasks_.begin()->second;
      task = std::move(next.front());
      next.pop_front();
      if (next.empty()) tasks_.erase(tasks_.begin());
    }
    task(process);
  }
}

}  // namespace warpwright::worker
