// The recent strong stores to a memory location that a load may still see.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/simulator/state/shadow.hpp"
#include "kernels/runtime/simulator/state/vector_clock.hpp"

namespace warpwright::simulator {

/// A fence, or a release. Fences are numbered in the order in which all threads of the launch executed them:
/// sequentially consistent fences are totally ordered.
struct Fence {
  std::uint64_t number = 0;
  std::uint32_t thread = 0;        ///< in the launch
  std::uint32_t barrier_time = 0;  ///< accesses of its block before this time are known to that thread
  bool in_device = false;          ///< it counts for other blocks too
};
/// The fences of one block.
using Fences = std::vector<Fence>;

/// An access of a memory location that has a history.
struct StrongAccess {
  AccessRecord by;                       ///< time 0: what was there before the launch
  std::uint32_t block = 0;               ///< of that thread
  std::shared_ptr<const Fences> fences;  ///< of that block; null if not known
  std::size_t fences_before = 0;         ///< number of its block's fences before the access
};

/// The vector clocks released with the value of a strong store, to readers on the device and in the storing block.
struct ReleasedValue {
  SharedClock in_device, in_block;
  std::uint32_t block = 0;
  /// The last fence that a reader in the block, or on the device, then knows; see ThreadClocks.
  std::uint64_t block_fence = 0, device_fence = 0;
  /// What threads of other blocks released to their own block before a read-modify-write of this one, if it is more
  /// than what they released to the device.
  std::vector<std::pair<std::uint32_t, SharedClock>> in_other_blocks = {};

  /// What a thread of that block acquires.
  const SharedClock& for_block(std::uint32_t reader) const;
  /// A read-modify-write that releases `own` has seen this value: it also passes on what was released before it, to its
  /// own block and to others.
  void update(const ReleasedValue& own);
};

/// A value that was overwritten.
struct OldValue {
  StrongAccess stored;
  ReleasedValue released;
  std::array<std::byte, 16> bytes{};
};

/// Stores to one location are ordered as they ran, or with the last one and the newest one exchanged. A load may see
/// any value, except those older than a value whose store happens before the load, or that was read by a load which
/// happens before this one. `is_before(access)` says whether a store or load happens before. (The rules are those of
/// C++20, [intro.races] and [atomics.order], which CUDA and PTX share.)
class StoreHistory {
 public:
  /// The history of a location of so many bytes, whose value is from that store.
  StoreHistory(std::size_t size, const StrongAccess& newest) : size_(size), newest_(newest), last_(newest.by) {}

  std::size_t size() const { return size_; }
  const StrongAccess& newest() const { return newest_; }
  /// The store that ran last.
  const AccessRecord& last() const { return last_; }
  /// Records that a store replaces the newest value, which is `bytes`.
  void store(const StrongAccess& by, const ReleasedValue& replaced, const void* bytes);
  /// Whether the order also allows a store now to come before the newest one: that is no update, and neither it nor a
  /// load that saw it happens before.
  template <class IsBefore>
  bool may_come_before_newest(IsBefore is_before) const {
    if (newest_.by.updates != 0 || are_readers_lost_ || is_before(newest_)) return false;
    return std::none_of(readers_.begin(), readers_.end(), [&](const Reader& reader) {
      return reader.number == number_of_newest() && is_before(reader.access);
    });
  }
  /// Records such a store. Returns the place of its value, valid until the next call.
  std::byte* store_before_newest(const StrongAccess& by, const ReleasedValue& released);
  /// Records that a load saw that value; null: the newest.
  void load(const StrongAccess& by, const OldValue* seen);
  /// The older values that a load may see and that differ from the newest one, the oldest first.
  template <class IsBefore>
  std::vector<const OldValue*> choices(IsBefore is_before, const void* newest_bytes) const {
    if (older_.empty() || is_before(newest_)) return {};
    std::uint64_t least = first_;
    for (std::size_t i = 0; i < older_.size(); ++i)
      if (is_before(older_[i].stored)) least = first_ + i;
    for (const Reader& reader : readers_)
      if (reader.number > least && is_before(reader.access)) least = reader.number;
    std::vector<const OldValue*> all;
    for (std::uint64_t number = least; number < number_of_newest(); ++number)
      if (const OldValue& value = older_[number - first_]; differs(value, newest_bytes)) all.push_back(&value);
    return all;
  }
  /// The store that replaced that value.
  const StrongAccess& next_after(const OldValue& value) const;

 private:
  static constexpr std::size_t most_older = 4, most_readers = 32;
  struct Reader {
    StrongAccess access;
    std::uint64_t number = 0;  ///< the number of the value that it saw
  };

  std::uint64_t number_of_newest() const { return first_ + older_.size(); }
  bool differs(const OldValue& value, const void* bytes) const;
  /// Forgets values older than that one, and loads that saw no later value.
  void forget_before(std::uint64_t number);

  std::size_t size_;
  StrongAccess newest_;
  AccessRecord last_;
  std::vector<OldValue> older_;
  std::uint64_t first_ = 0;  ///< the number of the oldest value
  std::vector<Reader> readers_;
  bool are_readers_lost_ = false;  ///< some that saw the newest value are not in the list
};

/// The state of a memory location that strong accesses touched.
struct AtomicLocation {
  ReleasedValue released;               ///< with the newest value
  std::optional<StoreHistory> history;  ///< if older values are kept
};
using AtomicLocations = std::unordered_map<std::uintptr_t, AtomicLocation>;

}  // namespace warpwright::simulator
