// Proves that threads loop for ever: they come to the same states again while no memory changes.
#include "kernels/runtime/simulator/engine/loop_proof.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

namespace warpwright::simulator {
namespace {

// Blocks before the first watch of a launch, and between two watches for each block of the last one.
constexpr std::uint64_t first_blocks = std::uint64_t{1} << 20;
constexpr std::uint64_t blocks_between = 64;
constexpr std::uint64_t least_length = std::uint64_t{1} << 14, blocks_per_thread = 16;
constexpr std::uint64_t growth = 4;
constexpr std::size_t register_bytes = 5 * sizeof(void*);

std::uint64_t hash_of(const void* bytes, std::size_t size) {
  return std::hash<std::string_view>()({static_cast<const char*>(bytes), size});
}

}  // namespace

void LoopProof::allow(std::uint64_t blocks) {
  allowed_ = blocks;
  watch_->blocks_left = static_cast<std::int64_t>(blocks);
  watch_->await_block(watch_->compared != 0);
}

std::int64_t LoopProof::left_of_allowed() const {
  Watch without = *watch_;
  without.await_block(false);
  return without.blocks_left;
}

void LoopProof::begin_launch(std::uint64_t threads) {
  watches_ = false;
  blocks_ = 0;
  length_ = std::max(least_length, blocks_per_thread * threads);
  allow(first_blocks);
}

void LoopProof::look_later() {
  watches_ = false;
  allow(std::max(first_blocks, blocks_between * length_));
}

LoopProof::Outcome LoopProof::block_begun(const Thread& self, std::span<const std::byte> stack, const void* registers) {
  blocks_ += allowed_ + 1;  // the last one is this
  if (!watches_) {
    watches_ = true;
    changed_ = false;
    store_.size = 0;
    left_ = length_;
    seen_.clear();
  }
  allow(0);
  settle_store();
  if (changed_ || left_-- == 0) {
    if (!changed_) length_ *= growth;
    if (changed_) seen_.clear();
    return Outcome::to_be_checked;
  }
  // Different states with the same hash are less likely than a computer that errs.
  const std::uint64_t state = hash_of(stack.data(), stack.size()) * 31 + hash_of(registers, register_bytes);
  Seen& seen = seen_[&self];
  if (seen.blocks > 0 && seen.state == state) {
    ++seen.again;
    if (seen.waits == waits_) return Outcome::loops;
  } else if (++seen.blocks == seen.remember_at) {
    seen.remember_at *= 2;
    seen.state = state;
    seen.waits = waits_;
    seen.again = 0;
  }
  return Outcome::goes_on;
}

bool LoopProof::is_in_a_loop(const Thread& thread) const {
  const auto seen = seen_.find(&thread);
  return seen != seen_.end() && seen->second.again >= 2;
}

void LoopProof::note_store(const void* pointer, std::size_t size) {
  settle_store();
  store_.pointer = pointer;
  store_.size = std::min(size, store_.before.size());
  std::memcpy(store_.before.data(), pointer, store_.size);
}

void LoopProof::settle_store() {
  if (store_.size != 0 && std::memcmp(store_.before.data(), store_.pointer, store_.size) != 0) changed_ = true;
  store_.size = 0;
}

void LoopProof::note_value(const Thread& thread, std::uint64_t value, const void* site) {
  const auto given = seen_[&thread].values.emplace(site, value).first;
  if (given->second != value) changed_ = true;
}

}  // namespace warpwright::simulator
