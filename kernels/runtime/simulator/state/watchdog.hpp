// Calls a function periodically while a thread computes, by the processor time that the thread uses.
#pragma once

#include <signal.h>
#include <time.h>
#include <ucontext.h>

namespace warpwright::simulator {

/// Watches the system thread that creates it. On a system without such timers it never calls.
class Watchdog {
 public:
  using Handler = void (*)(int, siginfo_t*, void* context);

  /// The handler is that of the whole process, and may leave by a switch to another context.
  explicit Watchdog(Handler handler);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void start() { set(interval_ns); }
  void stop() { set(0); }

  /// The instruction that was interrupted, from the handler's context.
  static const void* interrupted_at(void* context);

 private:
  static constexpr long interval_ns = 500'000'000;

  void set(long nanoseconds);

  timer_t timer_{};
  bool works_ = false;
};

}  // namespace warpwright::simulator
