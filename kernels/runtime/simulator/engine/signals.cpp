// Signals that device code causes while the engine runs it.
#include "kernels/runtime/simulator/engine/signals.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cerrno>
#include <system_error>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {
namespace {

/// Enough to describe a finding.
constexpr std::size_t stack_bytes = std::size_t{1} << 18;

/// Integer divisions without a result trap on this CPU, unlike on a GPU.
void on_division(int, siginfo_t* info, void*) {
  if (Engine* const engine = Engine::current_if_any()) engine->division_trapped(info->si_addr);
  ::signal(SIGFPE, SIG_DFL);  // of the program itself, which dies of it
}

void on_segfault(int, siginfo_t* info, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  if (Engine* const engine = Engine::current_if_any())
    engine->segfaulted({.instruction = reinterpret_cast<const std::byte*>(registers[REG_RIP]),
                        .stack = reinterpret_cast<const void* const*>(registers[REG_RSP]),
                        .address = info->si_addr});
  ::signal(SIGSEGV, SIG_DFL);
}

/// The handlers are left by a switch to another context, so the signal stays unblocked.
void handle(int signal, void (*handler)(int, siginfo_t*, void*), int more_flags) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | more_flags;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

Signals::Signals() {
  void* const memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap of the signals' stack");
  stack_ = static_cast<std::byte*>(memory);
  const stack_t stack{.ss_sp = stack_, .ss_flags = 0, .ss_size = stack_bytes};
  ::sigaltstack(&stack, nullptr);
  handle(SIGFPE, on_division, 0);
  handle(SIGSEGV, on_segfault, SA_ONSTACK);
}

Signals::~Signals() {
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  ::sigaltstack(&none, nullptr);
  munmap(stack_, stack_bytes);
}

}  // namespace warpwright::simulator
