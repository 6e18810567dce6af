// Worker processes side by side, each fed by a thread of its own from one queue.
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

class Pool {
 public:
  /// `workers` 0 starts one for each core. Processes start with their first task; their calls obey `stop`. Throws
  /// EnvironmentFault if the environment is not fit for them: see check_environment.
  explicit Pool(unsigned workers = 0, const Stop& stop = {});
  /// Drops tasks that have not begun and waits for the others.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Runs `task` with a worker, first come first served; its exceptions arrive in the future.
  template <class F>
  auto submit(F task) -> std::future<decltype(task(std::declval<Process&>()))> {
    using Result = decltype(task(std::declval<Process&>()));
    auto packaged = std::make_shared<std::packaged_task<Result(Process&)>>(std::move(task));
    auto future = packaged->get_future();
    push([packaged](Process& process) { (*packaged)(process); });
    return future;
  }

  std::size_t size() const { return threads_.size(); }

  /// The worker of the task that calls; null outside the tasks of this pool. A task that needs something of a worker
  /// uses its own: it must not wait for another task of its pool, which may never get a thread.
  Process* own_worker() const;

 private:
  void close();
  void push(std::function<void(Process&)> task);
  void work();

  Stop stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void(Process&)>> tasks_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace warpwright::worker
