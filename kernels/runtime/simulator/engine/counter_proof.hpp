// Finds loops that do not end although each pass has a new state: their counter has passed its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// A comparison of the running thread.
struct Compared {
  std::uint64_t left = 0, right = 0;
  unsigned bytes = 0;  ///< of the integers; 0: other values
  const void* site = nullptr;
};

/// What a launch has done so far, and what it may do.
struct Effort {
  std::uint64_t blocks = 0, steps = 0;
};

/// Follows the comparisons of one thread at a time. A loop does not end if in each pass the thread makes the same
/// comparisons, each with the same values as before or with values that move apart by the same step, and at least one
/// pair moves apart. Whatever a loop may wait for otherwise ends the proof: a value that comes closer or moves in
/// another way, and a look at what other threads do. This must hold for millions of passes, and for more than there are
/// bytes of memory, because comparisons of pointers are not seen. Integers wrap around: the loop has gone on after
/// that, or this would take more than the limit of the launch.
class CounterProof {
 public:
  void begin(Watch& of_module, const Effort& limit);
  void begin_launch(std::uint64_t memory_bytes);
  void end_launch() { stop(); }
  /// Looks at the comparisons of that thread for a while, unless a loop is being followed.
  void observe(const Thread& thread);
  /// That thread looks at what others do, or ends.
  void disturb(const Thread& thread) {
    if (phase_ != Phase::idle && thread.id == thread_) stop();
  }
  /// A comparison of that thread. Returns the words of a finding if the thread's loop does not end. `effort` returns
  /// what the launch has done so far.
  template <class EffortSoFar>
  std::optional<std::string> compared(const Thread& thread, const Compared& now, EffortSoFar effort) {
    if (phase_ == Phase::idle || thread.id != thread_ || !ends_pass(now) || passes_ % passes_between_checks != 0)
      return {};
    return verdict(effort());
  }

 private:
  enum class Phase { idle, searching, first_pass, second_pass, following };
  static constexpr std::uint64_t passes_between_checks = 1 << 14;

  /// The comparisons at one place of a pass, or of the code.
  struct Series {
    Compared last;
    std::int64_t left_step = 0, right_step = 0;
    int steady = 0;            ///< how often in a row the steps were these
    bool is_excluded = false;  ///< cannot be what a loop goes on for

    void add(const Compared& now);
    bool goes_on_with(const Compared& now) const;
    /// Whether the values are the same in each pass, or move alike. Or one is the least integer: before a division the
    /// compiler asks whether it overflows.
    bool is_constant() const;
    /// The passes after which the values may come closer, by wrapping around; none: they do not move apart.
    std::optional<std::uint64_t> apart_for() const;
  };

  void stop();
  void search(const Compared& now);
  /// What was taken for the end of a pass is not one, or the loop ends.
  void exclude_end();
  void learn(const Compared& now);
  /// Returns whether a pass of the followed loop ends with that comparison.
  bool ends_pass(const Compared& now);
  std::optional<std::string> verdict(const Effort& now);
  std::string words() const;

  Watch* watch_ = nullptr;
  Effort limit_, begin_;
  std::uint64_t memory_bytes_ = 0;
  Phase phase_ = Phase::idle;
  std::uint32_t thread_ = 0;
  int seen_ = 0;  ///< comparisons of the search
  std::unordered_map<const void*, Series> sites_;
  std::vector<Series> pass_;  ///< in order; the first one moves apart
  std::size_t next_ = 0;      ///< in `pass_`
  std::uint64_t passes_ = 0, apart_for_ = 0;
};

}  // namespace warpwright::simulator
