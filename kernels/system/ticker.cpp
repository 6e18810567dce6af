// A thread that waits for the end of a pause, or for its own end.
#include "kernels/system/ticker.hpp"

#include <utility>

namespace warpwright {

Ticker::Ticker(std::chrono::milliseconds pause, std::function<void()> tick)
    : thread_([this, pause, tick = std::move(tick)](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (true) {
          never_.wait_for(lock, stop, pause, [] { return false; });
          if (stop.stop_requested()) return;
          tick();
        }
      }) {}

Ticker::~Ticker() = default;

}  // namespace warpwright
