// A thread's right to what the threads of a run share.
#pragma once

#include <mutex>

namespace warpwright::tuner {

/// A thread's right to what is shared.
using Turn = std::unique_lock<std::mutex>;

/// Lets go of a turn while it lives.
class Pause {
 public:
  explicit Pause(Turn& turn) : turn_(turn) { turn_.unlock(); }
  ~Pause() { turn_.lock(); }
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;

 private:
  Turn& turn_;
};

}  // namespace warpwright::tuner
