// Calls a function while a thread computes, every so often of the processor's time that it uses.
#pragma once

#include <signal.h>
#include <time.h>
#include <ucontext.h>

namespace warpwright::host {

/// Of the system thread that makes it. Where the system has no such timers it never calls.
class Stopwatch {
 public:
  using Handler = void (*)(int, siginfo_t*, void* context);

  /// The handler is that of the whole process, and may leave by a switch to another context.
  explicit Stopwatch(Handler handler);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start() { set(interval_ns); }
  void stop() { set(0); }

  /// The instruction that the handler with this context came between.
  static const void* interrupted_at(void* context);

 private:
  static constexpr long interval_ns = 500'000'000;

  void set(long nanoseconds);

  timer_t timer_{};
  bool works_ = false;
};

}  // namespace warpwright::host
