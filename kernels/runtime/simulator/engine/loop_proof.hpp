// Proves that threads loop for ever: they come to the same states again while no memory changes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// Now and then it watches a launch for some basic blocks. The state of a thread at a basic block is its registers and
/// its stack. A thread that comes to a state again goes in circles, unless it sees something else the next time: memory
/// that has changed, the clock, or a value of another thread. So whatever changes one of these ends the watch.
class LoopProof {
 public:
  enum class Outcome {
    goes_on,
    loops,         ///< the thread does, whatever others do
    to_be_checked  ///< a stretch of blocks is over: if all threads loop that wait for nothing, the launch hangs
  };

  void begin(Watch& of_module) { watch_ = &of_module; }
  /// Of a launch of which at most so many threads are resident.
  void begin_launch(std::uint64_t threads);
  /// Basic blocks of this launch.
  std::uint64_t blocks() const { return blocks_ + allowed_ - static_cast<std::uint64_t>(left_of_allowed()); }

  /// The thread begins a basic block. `stack` is of the functions that it is in.
  Outcome block_begun(const Thread& self, std::span<const std::byte> stack, const void* registers);
  /// After a check without a result.
  void look_later();
  /// What is known of the threads since the watch began. In a loop: twice in a state that it was in before.
  bool has_run(const Thread& thread) const { return seen_.contains(&thread); }
  bool is_in_a_loop(const Thread& thread) const;

  bool watches() const { return watches_; }
  /// Something has changed that a thread may see.
  void note_change() { changed_ = true; }
  /// A thread is about to store there, perhaps what is there already.
  void note_store(const void* pointer, std::size_t size);
  /// A thread gives this to others, at a barrier or in a warp operation.
  void note_value(const Thread& thread, std::uint64_t value, const void* site);
  /// A thread looks at what others do.
  void note_wait() { ++waits_; }

 private:
  struct Seen {
    std::uint64_t state = 0, waits = 0;                ///< remembered, and how often threads had waited then
    std::uint64_t blocks = 0, remember_at = 1;         ///< of the thread; a loop may be as long as the last one is late
    int again = 0;                                     ///< how often the thread was in that state since
    std::map<const void*, std::uint64_t> values = {};  ///< that it gave to others, by where it did so
  };
  struct Store {
    const void* pointer = nullptr;
    std::size_t size = 0;
    std::array<std::byte, 16> before{};
  };

  void allow(std::uint64_t blocks);
  std::int64_t left_of_allowed() const;
  void settle_store();

  Watch* watch_ = nullptr;
  bool watches_ = false, changed_ = false;
  std::uint64_t blocks_ = 0, allowed_ = 0;
  std::uint64_t length_ = 0, left_ = 0;  ///< of a watch, in blocks
  std::uint64_t waits_ = 0;
  Store store_;
  std::unordered_map<const Thread*, Seen> seen_;
};

}  // namespace warpwright::simulator
