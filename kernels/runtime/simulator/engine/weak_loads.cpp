// The ordering of atomic and volatile accesses, and the loads that see an older value.
#include <fmt/format.h>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {

void Engine::synchronise(const StrongSite& at, const void* site) {
  const OldValue* seen = nullptr;
  if (memory_.stale.wanted() && (at.code & (access_write | access_newest)) == 0) {
    seen = memory_.stale.choose(memory_.detector.choices(running(), at));
    if (seen != nullptr) show(at, *seen, site);
  }
  memory_.detector.synchronise(running(), at, seen);
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
