// Calls a function periodically while a thread computes, by the processor time that the thread uses.
#include "kernels/runtime/simulator/state/watchdog.hpp"

#include <unistd.h>

namespace warpwright::simulator {
namespace {

constexpr int signal_number = SIGVTALRM;

}  // namespace

Watchdog::Watchdog(Handler handler) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  ::sigaction(signal_number, &action, nullptr);
  struct sigevent event {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_number;
  event._sigev_un._tid = ::gettid();
  works_ = ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
}

Watchdog::~Watchdog() {
  if (works_) ::timer_delete(timer_);
}

void Watchdog::set(long nanoseconds) {
  if (!works_) return;
  const itimerspec every{.it_interval = {.tv_sec = 0, .tv_nsec = nanoseconds},
                         .it_value = {.tv_sec = 0, .tv_nsec = nanoseconds}};
  ::timer_settime(timer_, 0, &every, nullptr);
}

const void* Watchdog::interrupted_at(void* context) {
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

}  // namespace warpwright::simulator
