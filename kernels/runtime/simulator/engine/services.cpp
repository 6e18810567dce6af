// What device code asks of the machine besides memory and synchronisation: time, output, and to be stopped.
#include <fmt/format.h>
#include <unistd.h>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {
namespace {

/// What one execution may print, in bytes; as much as a device keeps.
constexpr std::size_t print_limit = std::size_t{1} << 20;
/// What the clock advances by with each look at it: some instructions.
constexpr long long clock_step = 64;

/// Whole, or as far as the stream takes it: there is nobody to tell that it does not.
void write_to_error_stream(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void Engine::pause(const void* site) {
  count_step(site);
  running_->site = site;
  make_ready(*running_);
  give_way();
}

void Engine::require_cooperative_launch(const void* site) {
  if (launch_->cooperative) return;
  add(finding_by(FindingKind::illegal_launch, *running_, site,
                 "a barrier of the whole grid in a launch that is not cooperative: a block that has no place on the "
                 "device never arrives"));
  stop();
}

void Engine::trap(const void* site) {
  add(finding_by(FindingKind::trap, *running_, site, "the kernel called __trap"));
  stop();
}

void Engine::no_model(const char* what, const void* site) {
  add(finding_by(FindingKind::no_model, *running_, site, what));
  stop();
}

void Engine::division_trapped(const void* instruction) {
  const void* const site = static_cast<const std::byte*>(instruction) + 1;  // as if it were a call
  if (running_ == nullptr || module_->line_of(site).line == 0) return;
  add(finding_by(FindingKind::trap, *running_, site,
                 "an integer is divided by zero, or the least one by -1: its quotient and remainder are anything"));
  stop();
}

void Engine::assertion_failed(const char* condition, const void* site) {
  add(finding_by(FindingKind::trap, *running_, site, fmt::format("assert({}) failed", condition)));
  stop();
}

long long Engine::clock(const void* site) {
  pause(site);
  return clock_ += clock_step;
}

void Engine::print(std::string_view text) {
  if (printed_ >= print_limit) return;
  printed_ += text.size();
  write_to_error_stream(text);
  if (printed_ >= print_limit)
    write_to_error_stream(
        fmt::format("\nwarpwright: {} printed {} bytes; what follows is left out\n", entry_->name, printed_));
}

Space Engine::space_of(const void* pointer) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (memory_.contains(address)) return Space::global;
  if (shared_.contains(address)) return Space::shared;
  if (is_local(address)) return Space::local;
  if (!module_->contains(pointer)) return Space::nowhere;
  for (unsigned i = 0; i < module_->table().constant_count; ++i) {
    const ModuleConstant& constant = module_->table().constants[i];
    if (address - reinterpret_cast<std::uintptr_t>(constant.address) < constant.bytes) return Space::constant;
  }
  return Space::global;
}

}  // namespace warpwright::simulator
