// Counts the memory requests of the warps of a launch, from the accesses of their threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/simulator/results/execution.hpp"

namespace warpwright::simulator {

/// What a warp does to which memory.
enum class Access : std::uint8_t { global_load, global_store, shared_load, shared_store, shared_atomic };

/// One access of a warp. Lane i is active if bit i of `lanes` is set.
struct Request {
  std::array<std::uint64_t, 32> addresses{};
  std::uint32_t lanes = 0;
  std::uint8_t bytes = 0;  ///< of each lane: 1, 2, 4, 8 or 16
};

/// The number of 32-byte sectors of global memory that a request touches.
unsigned sectors_of(const Request& request);
/// Number of distinct bytes that a request touches.
unsigned distinct_bytes_of(const Request& request);
/// Wavefronts of a shared-memory request: passes over the 32 banks of 4 bytes. A pass takes as long as the bank with
/// the most distinct words. 8-byte accesses go by half warps, 16-byte ones by quarter warps; their passes are summed.
unsigned wavefronts_of(const Request& request);
/// The wavefronts that the request would take without bank conflicts.
unsigned least_wavefronts_of(const Request& request);
/// Wavefronts of atomics on shared memory: as many as lanes update the same bank, also if they update the same word.
unsigned atomic_wavefronts_of(const Request& request);

/// One request is the n-th execution of one source line by the threads of a warp since the last barrier of their block.
/// The order in which the threads ran does not matter.
class AccessTrace {
 public:
  class Warp;

  /// Forgets all counts but keeps its memory.
  void restart();
  /// The first of the warps of a block. The warps keep their addresses until the next call for the same slot.
  Warp* warps_of(std::size_t block_slot, std::size_t count);
  void add(Warp& warp, unsigned lane, std::uint32_t existing_lanes, const void* site, Access access,
           std::uint64_t address, std::size_t bytes);
  /// An atomic on global memory outside of the plan's buffers.
  void add_global_atomic(const void* site) { ++sites_[number_of(site)].counts.global_atomics; }
  /// The same at that byte of the plan's buffer with that number.
  void add_global_atomic(const void* site, std::size_t buffer, std::uint64_t offset);
  /// An asynchronous copy from global to shared memory by the hardware, in requests of 128 bytes.
  void add_bulk_copy(const void* site, std::uint64_t address, std::uint64_t bytes);
  /// The same from shared to global memory.
  void add_bulk_store(const void* site, std::uint64_t address, std::uint64_t bytes);
  /// A thread reads so many bytes of a __constant__ variable.
  void add_constant(const void* site, std::uint64_t bytes) { sites_[number_of(site)].counts.constant_bytes += bytes; }
  void add_barrier(const void* site);
  /// `exchange` is what it also counts as, so many times; null: nothing.
  void add_warp_operation(const void* site, std::uint64_t AccessCounts::*exchange = nullptr, std::uint64_t times = 1);
  /// To be called at a barrier of the block and at its end: counts requests that some lanes did not join, since no lane
  /// can join them any more.
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
    Access access = Access::global_load;
  };
  struct Stream {
    std::array<std::uint32_t, 32> executed{};  ///< executions by each lane
    std::uint32_t first = 0;                   ///< occurrence of pending[0]
    std::size_t counted = 0;                   ///< number of pending requests already counted, in order
    std::vector<Pending> pending;

    void restart() {
      executed.fill(0);
      first = 0;
      counted = 0;
      pending.clear();
    }
  };

  /// The index of the site in sites_.
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
  std::array<Known, 1024> known_{};  ///< the sites used last
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
