// Operations of warps: which calls are wrong, which lanes wait for which, and what each of them gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/results/finding.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// The CUDA function that does it.
const char* name_of(WarpOperation operation);

/// What is wrong with a call.
struct WarpFault {
  std::string message;
  const Thread* other = nullptr;  ///< a thread that waits with another mask or operation; null where there is none
};

class WarpUnit {
 public:
  void begin() { gave_poison_ = false; }
  /// `poison` is the byte in shared memory that nobody wrote.
  void begin_launch(int poison) { poison_ = poison == large ? large : uninitialised_byte; }
  /// Every byte of what a shuffle gives that reads an inactive lane: a large number, or its negative, so that neither
  /// maximum nor minimum hides it.
  unsigned char poison() const { return poison_; }
  /// Whether any shuffle of this execution gave it.
  bool gave_poison() const { return gave_poison_; }

  /// Whether the thread may not make the call, even if it may name lanes that have left or do not exist.
  static bool is_wrong(const Thread& thread, const WarpCall& call);
  static WarpFault fault_of(const Thread& thread, const WarpCall& call);
  /// The thread waits for its group, unless it is the last to arrive: the group's number in the warp.
  static std::size_t arrive(Thread& thread, const WarpCall& call, std::uint64_t value, const void* site);
  /// Gives each lane of the group its value. The lanes that got poison.
  std::uint32_t complete(Warp& warp, const WarpGroup& group);
  /// The lane that a shuffle of the thread reads; its own lane where that is out of its part of the warp.
  static unsigned source_lane(WarpOperation operation, const Thread& thread);

 private:
  static constexpr unsigned char large = 0x7e;

  unsigned char poison_ = uninitialised_byte;
  bool gave_poison_ = false;
};

}  // namespace warpwright::simulator
