// A pool of worker processes, each fed by its own thread from one queue.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/runtime/client/process.hpp"

namespace warpwright::worker {

/// Whether a task of a pool may wait until no other one does.
enum class Urgency { usual, can_wait };

class Pool {
 public:
  /// 0 `workers` means one for each core. Processes start with their first task; their calls obey `stop`. Throws
  /// EnvironmentFault if the environment is unsuitable: see check_environment.
  explicit Pool(unsigned workers = 0, const Stop& stop = {});
  /// Drops tasks that have not begun, and waits for the others.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Runs `task` with a worker, in order of submission; those that can wait come after all others. Exceptions of the
  /// task arrive in the future.
  template <class F>
  auto submit(F task, Urgency urgency = Urgency::usual) -> std::future<decltype(task(std::declval<Process&>()))> {
    using Result = decltype(task(std::declval<Process&>()));
    auto packaged = std::make_shared<std::packaged_task<Result(Process&)>>(std::move(task));
    auto future = packaged->get_future();
    push([packaged](Process& process) { (*packaged)(process); }, urgency);
    return future;
  }

  std::size_t size() const { return threads_.size(); }

  /// The worker of the calling task; null outside the tasks of this pool. A task that needs a worker must use its own:
  /// if it waited for another task of its pool, that might never get a thread.
  Process* own_worker() const;

 private:
  void close();
  void push(std::function<void(Process&)> task, Urgency urgency);
  void work();

  Stop stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void(Process&)>> tasks_, can_wait_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace warpwright::worker
