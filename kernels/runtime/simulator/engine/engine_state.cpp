// The units of the engine and the state of its execution and its launch.
#include "kernels/runtime/simulator/engine/engine_state.hpp"

namespace warpwright::simulator {

void EngineState::stop() {
  show_newest();
  stopped_ = launch_ended_ = true;
  scheduler_.leave();
}

AccessRecord EngineState::record_of(const void* site) const {
  const auto offset = static_cast<std::uint32_t>(static_cast<const std::byte*>(site) - module_base_);
  return {running().id, running().time, offset, weak};
}

}  // namespace warpwright::simulator
