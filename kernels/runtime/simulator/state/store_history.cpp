// The recent strong stores to a memory location that a load may still see.
#include "kernels/runtime/simulator/state/store_history.hpp"

#include <algorithm>
#include <cstring>

namespace warpwright::simulator {

const SharedClock& ReleasedValue::for_block(std::uint32_t reader) const {
  if (reader == block) return in_block;
  for (const auto& [other, clock] : in_other_blocks)
    if (other == reader) return clock;
  return in_device;
}

void ReleasedValue::update(const ReleasedValue& own) {
  const SharedClock known = for_block(own.block);
  if (own.block != block && in_block != in_device) in_other_blocks.emplace_back(block, in_block);
  std::erase_if(in_other_blocks, [&](const auto& one) { return one.first == own.block; });
  for (auto& [other, clock] : in_other_blocks) clock = merged(clock, own.in_device);
  const bool are_same = known == in_device && own.in_block == own.in_device;
  in_device = merged(in_device, own.in_device);
  in_block = are_same ? in_device : merged(known, own.in_block);
  block = own.block;
  block_fence = std::max(own.block_fence, device_fence);
  device_fence = std::max(device_fence, own.device_fence);
}

void StoreHistory::store(const StrongAccess& by, const ReleasedValue& replaced, const void* bytes) {
  if (older_.size() == most_older) forget_before(first_ + 1);
  OldValue& value = older_.emplace_back();
  value.stored = newest_;
  value.released = replaced;
  std::memcpy(value.bytes.data(), bytes, size_);
  newest_ = by;
  last_ = by.by;
  are_readers_lost_ = false;
}

std::byte* StoreHistory::store_before_newest(const StrongAccess& by, const ReleasedValue& released) {
  if (older_.size() == most_older) forget_before(first_ + 1);
  for (Reader& reader : readers_)
    if (reader.number == number_of_newest()) ++reader.number;
  OldValue& value = older_.emplace_back();
  value.stored = by;
  value.released = released;
  last_ = by.by;
  return value.bytes.data();
}

void StoreHistory::load(const StrongAccess& by, const OldValue* seen) {
  const std::uint64_t number =
      seen == nullptr ? number_of_newest() : first_ + static_cast<std::uint64_t>(seen - older_.data());
  const bool is_known = std::any_of(readers_.begin(), readers_.end(), [&](const Reader& reader) {
    return reader.access.by.thread == by.by.thread && reader.number >= number;
  });
  if ((number == first_ && number != number_of_newest()) || is_known) return;
  if (readers_.size() == most_readers) {
    // If there are too many readers, all threads are assumed to have read the oldest of these values.
    are_readers_lost_ = true;
    std::uint64_t least = number;
    for (const Reader& reader : readers_) least = std::min(least, reader.number);
    forget_before(least);
    if (number == first_) return;
  }
  readers_.push_back({by, number});
}

void StoreHistory::forget_before(std::uint64_t number) {
  older_.erase(older_.begin(), older_.begin() + static_cast<std::ptrdiff_t>(number - first_));
  first_ = number;
  std::erase_if(readers_, [&](const Reader& reader) { return reader.number <= first_; });
}

const StrongAccess& StoreHistory::next_after(const OldValue& value) const {
  const OldValue* const next = &value + 1;
  return next == older_.data() + older_.size() ? newest_ : next->stored;
}

bool StoreHistory::differs(const OldValue& value, const void* bytes) const {
  return std::memcmp(value.bytes.data(), bytes, size_) != 0;
}

}  // namespace warpwright::simulator
