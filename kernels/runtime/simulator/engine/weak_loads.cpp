// The ordering of atomic and volatile accesses, the loads that see an older value, and stores before the newest one.
#include <fmt/format.h>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {

bool Engine::chooses_store_before_newest(const StrongSite& at) {
  if (!memory_.detector.may_come_before_newest(running(), at)) return false;
  Explorer* const explorer = scheduler_.explorer();
  return explorer != nullptr ? explorer->choose(2) != 0 : memory_.stale.choose_store();
}

const OldValue* Engine::chosen_value(const StrongSite& at) {
  const std::vector<const OldValue*> choices = memory_.detector.choices(running(), at);
  Explorer* const explorer = scheduler_.explorer();
  if (explorer == nullptr) return memory_.stale.choose(choices);
  const std::size_t chosen = explorer->choose(choices.size() + 1);
  return chosen == 0 ? nullptr : choices[chosen - 1];
}

bool Engine::is_early_load(const StrongSite& at) {
  EarlyLoads& early = memory_.early;
  if ((at.code & access_write) != 0) {
    if (early.store(running(), at)) memory_.stale.wait_for_store(scheduler_.interrupt_slice());
    return false;
  }
  if ((at.code & (access_newest | access_acquire)) != 0) {
    early.close(running(), at.address);
    return false;
  }
  const EarlyLoads::Value* const value = early.load(running(), at);
  if (value == nullptr) return false;
  loops_.note_change();
  OldValue shown;
  shown.bytes = value->bytes;
  memory_.stale.show(at.address, value->size, shown, scheduler_.interrupt_slice());
  return true;
}

void Engine::synchronise(const StrongSite& at, const void* site) {
  if (memory_.early.is_used()) [[unlikely]] {
    if (is_early_load(at)) return;
    // The value that is in memory is the one that counts.
    if (memory_.stale.is_shown()) return memory_.detector.synchronise(running(), at, nullptr);
  }
  if (memory_.stale.wanted() && (at.code & access_write) != 0 && !is_update(at.code) && chooses_store_before_newest(at))
    return store_before_newest(at, site);
  const OldValue* seen = nullptr;
  if (memory_.stale.wanted() && (at.code & (access_write | access_newest)) == 0) {
    seen = chosen_value(at);
    if (seen != nullptr) show(at, *seen, site);
  }
  memory_.detector.synchronise(running(), at, seen);
}

void Engine::store_before_newest(const StrongSite& at, const void* site) {
  findings_.hint([&] {
    return fmt::format("the store at {} to what is {} came before the store at {}, which stays: nothing orders them",
                       describe(findings_.where(running(), site)), location_of(at.address).words,
                       describe(findings_.where(memory_.detector.newest(running(), at))));
  });
  loops_.note_change();
  std::byte* const stored = memory_.detector.synchronise_before_newest(running(), at);
  memory_.stale.cover(at.address, at.code & access_size, stored, scheduler_.interrupt_slice());
}

void Engine::show(const StrongSite& at, const OldValue& value, const void* site) {
  findings_.hint([&] {
    const StrongAccess& missed = memory_.detector.next_after(running(), at, value);
    return fmt::format("the load at {} saw what was {} before the store at {}: nothing orders that store before it",
                       describe(findings_.where(running(), site)), location_of(at.address).words,
                       describe(findings_.where(missed.by)));
  });
  loops_.note_change();  // the load sees something else the next time
  memory_.stale.show(at.address, at.code & access_size, value, scheduler_.interrupt_slice());
}

}  // namespace warpwright::simulator
