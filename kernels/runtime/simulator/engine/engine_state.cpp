// The units of the engine and the state of its execution and its launch.
#include "kernels/runtime/simulator/engine/engine_state.hpp"

#include <fmt/format.h>

namespace warpwright::simulator {

void EngineState::stop() {
  show_newest();
  stopped_ = launch_ended_ = true;
  scheduler_.leave();
}

void EngineState::settle_early_load() {
  const auto fulfilled = memory_.early.stored();
  if (!fulfilled) return;
  // The thread has seen this store.
  memory_.detector.synchronise(*fulfilled->thread, fulfilled->at, nullptr);
  findings_.hint([&] {
    return fmt::format("the load at {} saw what the store at {} stored later: nothing orders the two",
                       describe(findings_.where(*fulfilled->thread, module_base_ + fulfilled->at.site)),
                       describe(findings_.where(running(), module_base_ + fulfilled->store_site)));
  });
}

AccessRecord EngineState::record_of(const void* site) const {
  const auto offset = static_cast<std::uint32_t>(static_cast<const std::byte*>(site) - module_base_);
  return {running().id, running().time, offset, weak};
}

}  // namespace warpwright::simulator
