// Other services for device code: time, output, shared variables, and functions that end a launch.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {
namespace {

/// Bytes that one execution may print; the size of a device's buffer.
constexpr std::size_t print_limit = std::size_t{1} << 20;
/// Clocks that pass with each call on average, as if for some instructions; other threads may run meanwhile.
constexpr long long clock_step = 64;

/// Writes all of the text, or as much as the stream accepts; an error could not be reported.
void write_to_error_stream(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void Engine::wait_for_previous_launch() {
  if (!programmatic_.is_on()) return;
  programmatic_.wait(running());
  memory_.detector.tick(running());
}

void Engine::check_early(const void* address, std::uint64_t bytes, bool writes, const void* site) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (!memory_.global.contains(begin)) return;
  const bool has_waited = programmatic_.has_waited(running());
  if (has_waited && !programmatic_.outlasts_wait()) return;
  const Region& region = memory_.global.region_near(begin);
  const Shadow& shadow = memory_.shadows[region.number];
  for (std::uintptr_t at = std::max(begin, region.begin); at < std::min(begin + bytes, region.end); at += 4) {
    const Cell* const cell = shadow.cell(at - region.begin);
    if (cell == nullptr) return;
    if (programmatic_.may_still_run(cell->writer, has_waited))
      return too_early(cell->writer, true, at, bytes, writes, has_waited, site);
    if (writes && programmatic_.may_still_run(cell->reader, has_waited))
      return too_early(cell->reader, false, at, bytes, writes, has_waited, site);
  }
}

void Engine::require_cooperative_launch(const void* site) {
  if (launch_->cooperative) return;
  fail(FindingKind::illegal_launch, site, [] {
    return "a barrier of the whole grid in a launch that is not cooperative: a block that has no place on the device "
           "never arrives";
  });
}

void Engine::trap(const void* site) {
  fail(FindingKind::trap, site, [] { return "the kernel called __trap"; });
}

void Engine::no_model(const char* what, const void* site) {
  fail(FindingKind::no_model, site, [&] { return what; });
}

void Engine::division_trapped(const void* instruction) {
  const void* const site = static_cast<const std::byte*>(instruction) + 1;  // as if it were a call
  if (scheduler_.running() == nullptr || module_->line_of(site).line == 0) return;
  fail(FindingKind::trap, site,
       [] { return "an integer is divided by zero, or the least one by -1: the result is undefined"; });
}

void Engine::segfaulted(const Segfault& fault) {
  const StackOfFiber stack = scheduler_.fibers().stack_with(fault.stack);
  if (scheduler_.running() == nullptr || stack.begin == nullptr) return;
  if (fault.address < stack.begin && fault.address >= stack.guard) return stack_filled(fault, stack);
  if (fault.instruction == fault.address && is_code(*fault.stack)) {
    fail(FindingKind::trap, *fault.stack, [&] {
      return fault.address == nullptr ? std::string("a function is called through a null pointer")
                                      : fmt::format("a function is called at address {}, where none is", fault.address);
    });
  }
  if (is_code(fault.instruction) && fault.is_indirect_call())
    fail(FindingKind::trap, fault.instruction + 1,
         [] { return "a function is called through a pointer that holds no address: was it ever set?"; });
}

void Engine::stack_filled(const Segfault& fault, const StackOfFiber& stack) {
  const auto is_users = [&](const void* at) {
    return is_code(at) && module_->line_of(at).line != 0 && !is_cpu_model(module_->line_of(at).file);
  };
  const void* caller = nullptr;
  int calls = 0;
  const auto* const end = reinterpret_cast<const void* const*>(stack.end);
  for (const auto* at = std::max(fault.stack, reinterpret_cast<const void* const*>(stack.begin)); at < end; ++at) {
    if (is_code(*at)) ++calls;
    if (caller == nullptr && is_users(*at)) caller = *at;
  }
  constexpr int least_of_recursion = 16;
  const std::size_t kilobytes = stack.bytes() >> 10;
  if (caller != nullptr && calls >= least_of_recursion)
    fail(FindingKind::trap, caller, [&] {
      return fmt::format("a thread's stack of {} KiB is full: a recursion has no end, or goes very deep", kilobytes);
    });
  const void* const site = is_users(fault.instruction + 1) ? fault.instruction + 1 : caller;
  if (site != nullptr)
    fail(FindingKind::no_model, site,
         [&] { return fmt::format("more than {} KiB of local variables in one thread", kilobytes); });
}

void Engine::assertion_failed(const char* condition, const void* site) {
  fail(FindingKind::trap, site, [&] { return fmt::format("assert({}) failed", condition); });
}

long long Engine::clock(const void* site) {
  pause(site);
  loops_.note_change();
  const bool is_even = options_->schedule.seed == 0;
  return clock_ += is_even ? clock_step : 1 + static_cast<long long>(clock_random_.below(2 * clock_step));
}

void Engine::print(std::string_view text) {
  if (printed_ >= print_limit) return;
  printed_ += text.size();
  write_to_error_stream(text);
  if (printed_ >= print_limit)
    write_to_error_stream(
        fmt::format("\nwarpwright: {} printed {} bytes; what follows is left out\n", entry_->name, printed_));
}

void* Engine::shared_variable(SharedVariable& variable) {
  using Kind = Module::SharedVariable::Kind;
  const auto [kind, bytes, symbol] = module_->shared_variable(variable.offset);
  if (kind == Kind::guard) return module_->guard(variable.offset);
  SharedMemory& shared = memory_.shared;
  const std::size_t number = kind == Kind::dynamic ? 1 : shared.add(symbol, bytes);
  const auto limit = static_cast<std::size_t>(options_->device.shared_per_block_optin);
  const auto static_limit = static_cast<std::size_t>(options_->device.shared_per_block);
  if (number == 0 || shared.used_bytes() > limit) {
    report(FindingKind::illegal_launch, launch_->entry,
           fmt::format("more than the {} bytes of shared memory that a block may have", limit));
    stop();
  }
  if (shared.used_bytes() - shared.array(1).bytes > static_limit) {
    report(
        FindingKind::illegal_launch, launch_->entry,
        fmt::format("shared arrays of more than {} bytes, which only dynamic shared memory may exceed", static_limit));
    stop();
  }
  if (number != 1)
    for (const auto& block : blocks_.slots()) memory_.start_array(*block, number);
  memory_.place_variable(variable, number);
  return watch_->window_end + variable.place;
}

}  // namespace warpwright::simulator
