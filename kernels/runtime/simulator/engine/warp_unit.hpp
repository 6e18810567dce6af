// Operations of warps: which calls are wrong, which lanes wait for each other, and their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/results/execution.hpp"
#include "kernels/runtime/simulator/results/finding.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// The name of the CUDA function for the operation.
const char* name_of(WarpOperation operation);

/// The count of exchanges between lanes that it belongs to; null for other operations.
std::uint64_t AccessCounts::*exchange_of(WarpOperation operation);

/// A fault of a call.
struct WarpFault {
  std::string message;
  const Thread* other = nullptr;  ///< a thread that waits with another mask or operation; null if there is none
};

class WarpUnit {
 public:
  void begin() { gave_poison_ = false; }
  /// `poison` is the byte that fills unwritten shared memory.
  void begin_launch(int poison) { poison_ = poison == large ? large : uninitialised_byte; }
  /// Fills every byte of the result of a shuffle from an inactive lane: a large number, or its negative, so that
  /// neither a maximum nor a minimum hides it.
  unsigned char poison() const { return poison_; }
  /// Whether any shuffle of this execution returned poison.
  bool gave_poison() const { return gave_poison_; }

  /// Whether the call is wrong even if it may name lanes that have exited or do not exist.
  static bool is_wrong(const Thread& thread, const WarpCall& call);
  static WarpFault fault_of(const Thread& thread, const WarpCall& call);
  /// The thread waits for its group, unless it is the last to arrive. Returns the group's number in the warp.
  static std::size_t arrive(Thread& thread, const WarpCall& call, std::uint64_t value, const void* site);
  /// The number of distinct values that the lanes of the group gave.
  static std::uint64_t distinct_values(const Warp& warp, const WarpGroup& group);
  /// Gives each lane of the group its result. Returns the lanes that got poison.
  std::uint32_t complete(Warp& warp, const WarpGroup& group);
  /// The lane from which a shuffle of the thread reads; its own lane if that is outside its segment of the warp.
  static unsigned source_lane(WarpOperation operation, const Thread& thread);

 private:
  static constexpr unsigned char large = 0x7e;

  unsigned char poison_ = uninitialised_byte;
  bool gave_poison_ = false;
};

}  // namespace warpwright::simulator
