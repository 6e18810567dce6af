// A parent's handle of a worker process, which is started when needed, and killed and replaced when it hangs or dies.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "kernels/core/verdict.hpp"
#include "kernels/runtime/messages/channel.hpp"
#include "kernels/runtime/messages/messages.hpp"
#include "kernels/runtime/messages/requests.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/stop.hpp"

namespace warpwright::worker {

/// How a call to a worker ended.
enum class CallStatus {
  answered,
  refused,   ///< the worker is alive and says why it could not do it
  crashed,   ///< the worker died by its own fault
  timed_out  ///< the worker was killed at its time limit
};

/// The reply to a call, or the reason why there is none.
template <class T>
struct Answered {
  CallStatus status = CallStatus::answered;
  T reply = {};
  std::string detail = {};  ///< the worker's reason for refusing, how it died, or its time limit

  bool ok() const { return status == CallStatus::answered; }
  bool is_lost() const { return status == CallStatus::crashed || status == CallStatus::timed_out; }
  /// The verdict on the work during which the worker was lost.
  Verdict verdict() const { return status == CallStatus::timed_out ? Verdict::timed_out : Verdict::crashed; }
};

/// $WARPWRIGHT_WORKER, else the program `worker` beside the running one, else the worker of the installation that
/// contains the running one.
std::filesystem::path worker_program();

/// The worker with baselines for an architecture, beside the running program; empty if there is none.
std::filesystem::path baselines_program(const std::string& arch);

/// Not thread-safe. The worker is a ChildProcess: Ctrl-C does not reach it, and it dies with the thread that started
/// it.
class Process {
 public:
  explicit Process(std::filesystem::path program = worker_program(), const Stop& stop = {});
  /// The ordinary worker.
  explicit Process(const Stop& stop);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Whether one loss of a worker is enough for a verdict, or a second worker must be lost with the same request.
  enum class Believe { second_loss, first_loss };

  /// Sends one of the alternatives of Request and waits for the reply. Throws EnvironmentFault if no worker can be
  /// started, or if the environment kept the worker from answering: somebody killed or stopped it, or it reports that
  /// memory, files or the device failed. Such a call is first repeated on a new worker. If a stop is requested before
  /// the answer, kills the worker and throws Stopped.
  template <class R>
  Answered<typename R::Reply> call(R request, std::chrono::milliseconds limit, Believe believe = Believe::second_loss) {
    return call_encoded<R>(encode(Request(std::move(request))), limit, believe);
  }
  /// The same for an encoded request.
  template <class R>
  Answered<typename R::Reply> call_encoded(const Message& request, std::chrono::milliseconds limit, Believe believe) {
    Answered<Answer> any = call_any(request, limit, believe);
    Answered<typename R::Reply> answered{.status = any.status, .detail = std::move(any.detail)};
    if (answered.ok()) answered.reply = std::get<typename R::Reply>(std::move(any.reply));
    return answered;
  }
  /// The number of the worker that waits for calls, from 1; 0: the next call starts one.
  int worker_number() const { return child_ ? started_ : 0; }
  /// What the environment did to the last worker that was replaced because of it; empty if none was.
  const std::string& last_fault() const { return last_fault_; }
  /// Kills the worker and its child processes; the next call starts a new one.
  void kill();

  /// As long as it lives, the deadline (if any) is one more reason to stop: a call that has no answer then kills the
  /// worker and throws Stopped.
  class Until {
   public:
    Until(Process& process, std::optional<Stop::Clock::time_point> deadline)
        : process_(process), before_(process.stop_.deadline) {
      if (deadline && (!before_ || *deadline < *before_)) process.stop_.deadline = deadline;
    }
    ~Until() { process_.stop_.deadline = before_; }
    Until(const Until&) = delete;
    Until& operator=(const Until&) = delete;

   private:
    Process& process_;
    std::optional<Stop::Clock::time_point> before_;
  };

 private:
  void start();
  Answered<Answer> call_any(const Message& request, std::chrono::milliseconds limit, Believe believe);
  /// One attempt. Throws EnvironmentFault for faults that only the environment can cause.
  Answered<Answer> try_once(const Message& request, std::chrono::milliseconds limit);
  /// Waits for the worker, which is dead or dying.
  simulator::Ending end();
  /// The same, and returns how it died. Throws EnvironmentFault if the worker itself was not the cause.
  std::string reap();

  std::filesystem::path program_;
  Stop stop_;
  std::unique_ptr<simulator::ChildProcess> child_;  ///< null: not started
  int socket_ = -1;
  int started_ = 0;  ///< number of workers so far
  std::string last_fault_;
};

}  // namespace warpwright::worker
