// What atomic and volatile accesses order, and what loads among them see.
#include <fmt/format.h>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {

void Engine::synchronise(const StrongSite& at, const void* site) {
  const OldValue* seen = nullptr;
  if (stale_.wanted() && (at.code & (access_write | access_newest)) == 0) {
    seen = stale_.choose(judge_.choices(*running_, at));
    if (seen != nullptr) show(at, *seen, site);
  }
  judge_.synchronise(*running_, at, seen);
}

void Engine::show(const StrongSite& at, const OldValue& value, const void* site) {
  note([&] {
    const StrongAccess& missed = judge_.next_after(*running_, at, value);
    return fmt::format("the load at {} saw what was {} before the store at {}: nothing orders that store before it",
                       words_of(place_of(*running_, site)), spot_of(at.address).words, words_of(place_of(missed.by)));
  });
  stale_.show(at.address, at.code & access_size, value, slice_);
  slice_ = 1;
}

void Engine::show_newest() {
  if (stale_.is_shown()) slice_ = stale_.hide();
}

}  // namespace warpwright::simulator
