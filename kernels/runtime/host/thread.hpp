// The threads, warps and blocks of a launch while they are resident.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "kernels/runtime/host/fiber.hpp"
#include "kernels/runtime/host/interface.cuh"

namespace warpwright::host {

struct Block;
struct Warp;

enum class ThreadState : std::uint8_t { waiting_to_start, ready, at_barrier, at_warp_operation, finished };

struct AsyncCopy {
  void* to;
  const void* from;
  unsigned bytes;
  unsigned group;
  const void* site;
};

struct Thread {
  Fiber* fiber = nullptr;
  Block* block = nullptr;
  Warp* warp = nullptr;
  ThreadState state = ThreadState::waiting_to_start;
  std::uint8_t lane = 0;
  Index3 index{};
  std::uint32_t number = 0;      ///< in its block
  const void* site = nullptr;    ///< where it waits
  const void* polled = nullptr;  ///< the address of its last volatile or atomic access

  std::uint64_t value = 0;  ///< operand, then result, of a warp operation
  int lane_operand = 0, width = 32;

  long long bad_index = 0, bad_extent = 0;  ///< of the last array index that was out of bounds
  const void* bad_array = nullptr;

  std::vector<AsyncCopy> copies;  ///< under way
  unsigned copy_group = 0;        ///< the group that is being filled
};

/// Threads of a warp that meet in one operation.
struct WarpGroup {
  std::uint32_t mask = 0, arrived = 0;
  WarpOperation operation{};
};

struct Warp {
  Thread* lanes = nullptr;                 ///< the first of its threads
  std::uint32_t number = 0;                ///< in its block
  std::uint32_t existing = 0, exited = 0;  ///< lanes
  std::vector<WarpGroup> groups;           ///< not complete yet; masks do not overlap
};

struct Block {
  std::size_t slot = 0;  ///< which of the resident blocks it is
  Index3 index{};
  std::uint64_t number = 0;  ///< in the grid
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::uint32_t live = 0, exited = 0, arrived = 0;
  Thread* first_arrived = nullptr;
  BarrierReduction reduction{};
  int accumulated = 0, reduced = 0;    ///< __syncthreads_count and its like
  std::vector<std::byte*> arrays;      ///< storage of shared arrays by slot of their tag, null before the first use
  std::byte* dynamic_array = nullptr;  ///< null before the first use
};

}  // namespace warpwright::host
