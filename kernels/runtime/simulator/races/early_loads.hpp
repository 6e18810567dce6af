// Load buffering: a load that returns what another thread's later store stores.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/runtime/simulator/races/race_detector.hpp"

namespace warpwright::simulator {

/// Two runs with the same schedule show it. The first run looks for a strong load whose thread then stores elsewhere,
/// and for another thread's later store to the loaded location. In the second run the load returns that store's value.
/// The run counts if the store then stores this value again: so the value does not depend on the load. Until the store
/// ran, the loading thread may do nothing that orders the load before other threads' accesses, nor access the location
/// again.
class EarlyLoads {
 public:
  struct Value {
    std::uint64_t load = 0;  ///< its number in the run
    std::size_t size = 0;
    std::array<std::byte, 16> bytes = {};
  };

  /// Begins the first run.
  void look(std::uint64_t seed) {
    end();
    random_ = Random(seed);
    state_ = State::looks;
  }
  /// Begins the second run.
  void expect(const Value& value) {
    end();
    value_ = value;
    state_ = State::expects;
  }
  void end() { *this = {}; }
  bool is_used() const { return state_ != State::unused; }
  /// What the first run has found.
  std::optional<Value> found() const { return found_ > 0 ? std::optional(value_) : std::nullopt; }
  /// Whether the second run counts.
  bool is_fulfilled() const { return state_ == State::expects && is_fulfilled_; }

  /// The run begins, perhaps once more.
  void begin() {
    loads_ = found_ = 0;
    is_fulfilled_ = false;
    begin_launch();
  }
  /// Loads of an earlier launch cannot return what this one stores.
  void begin_launch() {
    open_.clear();
    stored_.reset();
  }
  /// The thread accesses the location again.
  void close(const Thread& thread, std::uintptr_t address) {
    std::erase_if(open_, [&](const Load& load) { return load.id == thread.id && load.at.address == address; });
  }
  /// A strong load, which is no acquire. Returns the value that it is to return; null: it is as any other.
  const Value* load(Thread& thread, const StrongSite& at) {
    close(thread, at.address);
    const bool is_expected = state_ == State::expects && loads_ == value_.load;
    ++loads_;
    if (state_ == State::expects && !is_expected) return nullptr;
    if (is_expected && (at.code & access_size) != value_.size) return nullptr;
    if (open_.size() == most_open) open_.erase(open_.begin());
    Load& load = open_.emplace_back(Load{.number = loads_ - 1,
                                         .thread = &thread,
                                         .id = thread.id,
                                         .time = thread.time,
                                         .barrier_time = thread.block->order.barrier_time,
                                         .at = at});
    std::memcpy(load.bytes.data(), reinterpret_cast<const void*>(at.address), at.code & access_size);
    return is_expected ? &value_ : nullptr;
  }
  /// A strong store or an update. Returns whether its value may be the one that an open load returns: then call
  /// `stored` when it is in memory.
  bool store(const Thread& thread, const StrongSite& at) {
    close(thread, at.address);
    for (Load& load : open_) load.has_stored |= load.id == thread.id;
    const auto met = std::ranges::find_if(open_, [&](const Load& load) {
      return load.id != thread.id && load.at.address == at.address &&
             (load.at.code & access_size) == (at.code & access_size);
    });
    if (met == open_.end()) return false;
    Load load = *met;
    load.store_site = at.site;
    open_.erase(met);
    const bool is_ordered = load.thread->id != load.id || load.thread->time != load.time ||
                            load.thread->block->order.barrier_time != load.barrier_time;
    if (is_ordered || (!load.has_stored && state_ == State::looks)) return false;
    stored_ = load;
    return true;
  }
  struct Fulfilled {
    Thread* thread = nullptr;  ///< that has loaded
    StrongSite at;
    std::uint32_t store_site = 0;  ///< as of StrongSite
  };
  /// Returns the load that has returned the value which is now stored, if it is the expected one.
  std::optional<Fulfilled> stored() {
    if (!stored_) return std::nullopt;
    const Load load = *stored_;
    stored_.reset();
    const std::size_t size = load.at.code & access_size;
    const auto* const bytes = reinterpret_cast<const std::byte*>(load.at.address);
    if (state_ == State::looks) {
      const bool is_same = std::memcmp(bytes, load.bytes.data(), size) == 0;
      if (is_same || random_.below(++found_) != 0) return std::nullopt;
      value_ = {.load = load.number, .size = size};
      std::memcpy(value_.bytes.data(), bytes, size);
      return std::nullopt;
    }
    is_fulfilled_ = std::memcmp(bytes, value_.bytes.data(), size) == 0;
    if (!is_fulfilled_) return std::nullopt;
    return Fulfilled{.thread = load.thread, .at = load.at, .store_site = load.store_site};
  }

 private:
  enum class State { unused, looks, expects };
  /// A load that no other thread knows of.
  struct Load {
    std::uint64_t number = 0;
    Thread* thread = nullptr;
    std::uint32_t id = 0, time = 0, barrier_time = 0;
    StrongSite at;
    std::array<std::byte, 16> bytes = {};  ///< that were there
    bool has_stored = false;               ///< its thread, since then
    std::uint32_t store_site = 0;          ///< of the store that it may return
  };
  static constexpr std::size_t most_open = 64;

  State state_ = State::unused;
  Random random_;
  std::uint64_t loads_ = 0, found_ = 0;
  Value value_;  ///< found, or expected
  std::vector<Load> open_;
  std::optional<Load> stored_;
  bool is_fulfilled_ = false;
};

}  // namespace warpwright::simulator
