// Which loads are given an older value than the newest, and how they are shown it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/store_history.hpp"

namespace warpwright::simulator {

/// The seed chooses, of the loads that may see something else than the newest value; the schedule says which stretch of
/// those chosen do so. Its length and its end can be lessened one after the other.
class StaleLoads {
 public:
  /// Of an execution.
  void begin(const Schedule& schedule) {
    left_ = std::min(schedule.stale_loads, schedule.stale_end);
    passed_over_ = schedule.stale_end - left_;
  }
  void begin_launch(std::uint64_t seed, std::uint64_t launch) {
    // The last two show what lags far behind: a long chain of tiles of which nearly all have not come to their end, or
    // all of a warp's.
    constexpr Rate rates[] = {{1, 2}, {1, 8}, {1, 32}, {7, 8}, {63, 64}, {}, {}, {}};
    random_ = Random(seed * 0x9e6c63d0876a9a35u + launch);
    rate_ = seed == 0 ? rates[0] : rates[random_.below(8)];
  }
  /// Whether any load is to be given an older value from here on.
  bool wanted() const { return left_ != 0 && rate_.chosen != 0; }

  /// What a load is given, where any is wanted, that may see these values too; null: the newest value.
  const OldValue* choose(const std::vector<const OldValue*>& choices) {
    if (choices.empty() || random_.below(rate_.of) >= rate_.chosen) return nullptr;
    const OldValue* const chosen = choices[random_.below(choices.size())];
    if (passed_over_ != 0) {
      --passed_over_;
      return nullptr;
    }
    --left_;
    return chosen;
  }

  /// Puts the value into memory, for one load; `slice` is what is left of the thread's, kept until then.
  void show(std::uintptr_t address, std::size_t size, const OldValue& value, std::int64_t slice) {
    auto* const place = reinterpret_cast<std::byte*>(address);
    std::memcpy(newest_.data(), place, size);
    std::memcpy(place, value.bytes.data(), size);
    place_ = place;
    size_ = size;
    slice_ = slice;
  }
  bool is_shown() const { return place_ != nullptr; }
  /// Puts the newest value back; gives the slice.
  std::int64_t hide() {
    std::memcpy(place_, newest_.data(), size_);
    place_ = nullptr;
    return slice_;
  }

 private:
  /// So many of so many are chosen.
  struct Rate {
    std::uint64_t chosen = 0, of = 1;
  };
  Random random_;
  Rate rate_;
  std::uint32_t left_ = 0, passed_over_ = 0;
  std::byte* place_ = nullptr;
  std::size_t size_ = 0;
  std::array<std::byte, 16> newest_{};
  std::int64_t slice_ = 0;
};

}  // namespace warpwright::simulator
