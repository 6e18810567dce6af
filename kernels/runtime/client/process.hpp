// A parent's handle of a worker process: started when needed, killed and replaced when it hangs or dies.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
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

/// How a call of a worker ended.
enum class CallStatus {
  answered,
  refused,   ///< the worker lives and says why it could not do it
  crashed,   ///< the worker died by its own doing
  timed_out  ///< the worker was killed at its time limit
};

/// The reply to a call, or why there is none.
template <class T>
struct Answered {
  CallStatus status = CallStatus::answered;
  T reply = {};
  std::string detail = {};  ///< what the worker said when it refused, how it died, or its time limit

  bool ok() const { return status == CallStatus::answered; }
  bool is_lost() const { return status == CallStatus::crashed || status == CallStatus::timed_out; }
  /// On what the worker ran when it was lost.
  Verdict verdict() const { return status == CallStatus::timed_out ? Verdict::timed_out : Verdict::crashed; }
};

/// $WARPWRIGHT_WORKER, else the program `worker` beside the running one, else that of the installation it stands in.
std::filesystem::path worker_program();

/// The worker with baselines for an architecture that stands beside the running program; "" where there is none.
std::filesystem::path baselines_program(const std::string& arch);

/// Not thread-safe. The worker is a ChildProcess: no Ctrl-C reaches it, and it dies with the thread that started it.
class Process {
 public:
  explicit Process(std::filesystem::path program = worker_program(), const Stop& stop = {});
  /// The ordinary worker.
  explicit Process(const Stop& stop);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Whether the loss of a worker is believed at once, or only if a second worker is lost with the same request.
  enum class Believe { second_loss, first_loss };

  /// Sends one of the alternatives of Request and waits for the reply. Throws EnvironmentFault where no worker can be
  /// started, or where the environment kept the worker from answering: somebody killed or stopped it, or it reports
  /// that memory, files or the device failed. Such a call is first repeated on a new worker. Throws Stopped, once the
  /// worker is killed, when the stop comes before the answer.
  template <class R>
  Answered<typename R::Reply> call(R request, std::chrono::milliseconds limit, Believe believe = Believe::second_loss) {
    return call_encoded<R>(encode(Request(std::move(request))), limit, believe);
  }
  /// The same for a request that is encoded already.
  template <class R>
  Answered<typename R::Reply> call_encoded(const Message& request, std::chrono::milliseconds limit, Believe believe) {
    Answered<Answer> any = call_any(request, limit, believe);
    Answered<typename R::Reply> answered{.status = any.status, .detail = std::move(any.detail)};
    if (answered.ok()) answered.reply = std::get<typename R::Reply>(std::move(any.reply));
    return answered;
  }
  /// Which worker waits for calls, counted from 1; 0: the next call starts one.
  int worker_number() const { return child_ ? started_ : 0; }
  /// What the environment did to the last worker that a call replaced for it; empty: nothing yet.
  const std::string& last_fault() const { return last_fault_; }
  /// Kills the worker and all it started; the next call starts a new one.
  void kill();

 private:
  void start();
  Answered<Answer> call_any(const Message& request, std::chrono::milliseconds limit, Believe believe);
  /// One attempt. Throws EnvironmentFault for what only the environment can cause.
  Answered<Answer> try_once(const Message& request, std::chrono::milliseconds limit);
  /// Waits for the worker that is dead or dying.
  simulator::Ending end();
  /// Likewise, and says how it died. Throws EnvironmentFault if the worker itself did not cause it.
  std::string reap();

  std::filesystem::path program_;
  Stop stop_;
  std::unique_ptr<simulator::ChildProcess> child_;  ///< none: not started
  int socket_ = -1;
  int started_ = 0;  ///< workers so far
  std::string last_fault_;
};

}  // namespace warpwright::worker
