// Counts what the warps of a launch ask of the memory system, from the accesses of their threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/simulator/results/execution.hpp"

namespace warpwright::simulator {

enum class MemorySpace : std::uint8_t { global, shared };

/// What one access of a warp asks for. Lane i takes part when bit i of `lanes` is set.
struct Request {
  std::array<std::uint64_t, 32> addresses{};
  std::uint32_t lanes = 0;
  std::uint8_t bytes = 0;  ///< of each lane: 1, 2, 4, 8 or 16
};

/// Different 32-byte sectors of global memory that a request touches.
unsigned sectors_of(const Request& request);
/// Different bytes that a request touches.
unsigned distinct_bytes_of(const Request& request);
/// Passes over the 32 banks of 4 bytes that a shared-memory request takes: the most different words that any bank is
/// asked for, summed over its parts. 8-byte accesses go by half warps, 16-byte ones by quarter warps.
unsigned wavefronts_of(const Request& request);
/// What wavefronts_of would be without bank conflicts.
unsigned least_wavefronts_of(const Request& request);

/// The n-th execution of one line of code by the threads of a warp, since the last barrier of their block, is one
/// request, whatever order they ran in.
class AccessTrace {
 public:
  class Warp;

  /// Forgets everything but its memory.
  void restart();
  /// The first of the warps of a block, which stay where they are until the next call for the same slot.
  Warp* warps_of(std::size_t block_slot, std::size_t count);
  void add(Warp& warp, unsigned lane, std::uint32_t existing_lanes, const void* site, MemorySpace space, bool store,
           std::uint64_t address, std::size_t bytes);
  void add_atomic(const void* site, MemorySpace space);
  /// The same of global memory: of that byte of the plan's buffer of that number.
  void add_atomic(const void* site, std::size_t buffer, std::uint64_t offset);
  /// A copy from global to shared memory that the hardware makes, 128 bytes at a time.
  void add_bulk_copy(const void* site, std::uint64_t address, std::uint64_t bytes);
  void add_barrier(const void* site);
  void add_warp_operation(const void* site);
  /// At a barrier of the block and at its end: counts the requests that some lanes never joined, and nobody can join
  /// now.
  void meet_block(std::size_t block_slot);

  struct Site {
    const void* site = nullptr;
    AccessCounts counts = {};
  };
  const std::vector<Site>& sites() const { return sites_; }
  /// Atomic updates by buffer since the last call.
  std::vector<AtomicCounts> take_atomics();

 private:
  struct Pending {
    Request request;
    MemorySpace space = MemorySpace::global;
    bool store = false;
  };
  struct Stream {
    std::array<std::uint32_t, 32> executed{};  ///< times each lane has been here
    std::uint32_t first = 0;                   ///< occurrence of pending[0]
    std::size_t counted = 0;                   ///< of the pending ones, in order
    std::vector<Pending> pending;

    void restart() {
      executed.fill(0);
      first = 0;
      counted = 0;
      pending.clear();
    }
  };

  /// Where the site is in sites_.
  std::size_t number_of(const void* site) {
    Known& known = known_[reinterpret_cast<std::uintptr_t>(site) % known_.size()];
    if (known.site != site) [[unlikely]]
      known = {site, look_up(site)};
    return known.number;
  }
  std::size_t look_up(const void* site);
  static void count(AccessCounts& counts, const Pending& pending);

  struct Known {
    const void* site = nullptr;
    std::size_t number = 0;
  };
  std::array<Known, 1024> known_{};  ///< the sites asked for last
  std::unordered_map<const void*, std::size_t> numbers_;
  std::vector<Site> sites_;
  std::vector<std::vector<Warp>> warps_;
  std::map<std::size_t, std::unordered_map<std::uint64_t, std::uint64_t>>
      atomics_;  ///< by buffer and line of 128 bytes
};

class AccessTrace::Warp {
  friend AccessTrace;
  std::vector<Stream> streams;  ///< by number of the site
};

}  // namespace warpwright::simulator
