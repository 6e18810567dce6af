// Which loads return an older value than the newest, which stores come before the newest one, and how.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/store_history.hpp"

namespace warpwright::simulator {

/// The seed chooses among the loads that may return an older value. The schedule says which consecutive ones of those
/// return it. The length and the end of that range can be reduced one after the other.
class StaleLoads {
 public:
  /// Begins an execution.
  void begin(const Schedule& schedule) {
    left_ = std::min(schedule.stale_loads, schedule.stale_end);
    passed_over_ = schedule.stale_end - left_;
  }
  void begin_launch(std::uint64_t seed, std::uint64_t launch) {
    // The last two rates cause values that lag far behind: a long chain of tiles of which nearly all have not finished,
    // or all of a warp's tiles.
    constexpr Rate rates[] = {{1, 2}, {1, 8}, {1, 32}, {7, 8}, {63, 64}, {}, {}, {}};
    random_ = Random(seed * 0x9e6c63d0876a9a35u + launch);
    rate_ = seed == 0 ? rates[0] : rates[random_.below(8)];
  }
  /// Whether any later load returns an older value.
  bool wanted() const { return left_ != 0 && rate_.chosen != 0; }

  /// The value for a load that may also return these; null: the newest one. Call it only where `wanted`.
  const OldValue* choose(const std::vector<const OldValue*>& choices) {
    if (choices.empty() || random_.below(rate_.of) >= rate_.chosen) return nullptr;
    // Half of them the oldest, as if the load had been made long before.
    const OldValue* const chosen = random_.below(2) == 0 ? choices.front() : choices[random_.below(choices.size())];
    return takes() ? chosen : nullptr;
  }
  /// Whether a store that may also come before the newest one does so. Call it only where `wanted`.
  bool choose_store() { return random_.below(rate_.of) < rate_.chosen && takes(); }

  /// After the store that follows, the value that is there now comes back; `stored` gets the one that was stored.
  void cover(std::uintptr_t address, std::size_t size, std::byte* stored, std::int64_t slice) {
    place_ = reinterpret_cast<std::byte*>(address);
    std::memcpy(newest_.data(), place_, size);
    stored_ = stored;
    size_ = size;
    slice_ = slice;
  }
  /// Puts the value into memory for one load. `slice` is the rest of the thread's time slice, kept until `hide`.
  void show(std::uintptr_t address, std::size_t size, const OldValue& value, std::int64_t slice) {
    auto* const place = reinterpret_cast<std::byte*>(address);
    std::memcpy(newest_.data(), place, size);
    std::memcpy(place, value.bytes.data(), size);
    place_ = place;
    size_ = size;
    slice_ = slice;
  }
  /// The same call of `hide` after a store, which changes nothing.
  void wait_for_store(std::int64_t slice) {
    place_ = newest_.data();
    size_ = 0;
    slice_ = slice;
  }
  bool is_shown() const { return place_ != nullptr; }
  /// Puts the newest value back; returns the slice.
  std::int64_t hide() {
    if (stored_ != nullptr) std::memcpy(std::exchange(stored_, nullptr), place_, size_);
    std::memcpy(place_, newest_.data(), size_);
    place_ = nullptr;
    return slice_;
  }

 private:
  /// Whether the candidate is one of the consecutive ones.
  bool takes() {
    if (passed_over_ != 0) {
      --passed_over_;
      return false;
    }
    --left_;
    return true;
  }

  /// `chosen` out of `of` loads are chosen.
  struct Rate {
    std::uint64_t chosen = 0, of = 1;
  };
  Random random_;
  Rate rate_;
  std::uint32_t left_ = 0, passed_over_ = 0;
  std::byte* place_ = nullptr;
  std::byte* stored_ = nullptr;
  std::size_t size_ = 0;
  std::array<std::byte, 16> newest_{};
  std::int64_t slice_ = 0;
};

}  // namespace warpwright::simulator
