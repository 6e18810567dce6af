// Which loads are given an older value than the newest, and how they are shown it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/runtime/host/executor.hpp"
#include "kernels/runtime/host/random.hpp"
#include "kernels/runtime/host/store_history.hpp"

namespace warpwright::host {

/// The seed chooses, of the loads that may see something else than the newest value; the schedule says how many of
/// those chosen do so, and how many are passed over before. Those before the last one that does run as without it.
class StaleReads {
 public:
  /// Of an execution.
  void begin(const Schedule& schedule) {
    left_ = schedule.stale_reads;
    passed_over_ = schedule.stale_passed;
  }
  void begin_launch(std::uint64_t seed, std::uint64_t launch) {
    constexpr std::uint64_t rates[] = {2, 8, 2, 32};
    random_ = Random(seed * 0x9e6c63d0876a9a35u + launch);
    rate_ = rates[random_.below(4)];
  }
  /// Whether any load is to be given an older value from here on.
  bool wanted() const { return left_ != 0; }

  /// What a load is given that may see these values too; null: the newest value.
  const OldValue* choose(const std::vector<const OldValue*>& choices) {
    if (choices.empty() || left_ == 0 || random_.below(rate_) != 0) return nullptr;
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
  Random random_;
  std::uint64_t rate_ = 1;
  std::uint32_t left_ = 0, passed_over_ = 0;
  std::byte* place_ = nullptr;
  std::size_t size_ = 0;
  std::array<std::byte, 16> newest_{};
  std::int64_t slice_ = 0;
};

}  // namespace warpwright::host
