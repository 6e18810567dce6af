// A pool of worker processes, each fed by its own thread from one queue.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/runtime/client/process.hpp"

namespace warpwright::worker {

/// Which of the tasks that wait for a worker come first. Those of one kind begin in order of submission.
enum class Urgency { at_once, usual, can_wait };

class Pool {
 public:
  /// 0 `workers` means one for each core. Processes start with their first task; their calls obey `stop`. They and what
  /// they start have this niceness (0 to 19): the higher, the more the other processes of the machine come first.
  /// Throws EnvironmentFault if the environment is unsuitable: see check_environment.
  explicit Pool(unsigned workers = 0, const Stop& stop = {}, int niceness = 0);
  /// Drops tasks that have not begun, and waits for the others.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Runs `task` with a worker. Exceptions of the task arrive in the future.
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
  int niceness_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Urgency, std::deque<std::function<void(Process&)>>> tasks_;  ///< those that wait; no empty queues
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace warpwright::worker
