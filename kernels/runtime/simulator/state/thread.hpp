// The threads, warps and blocks of a launch while they are resident.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/state/call_path.hpp"
#include "kernels/runtime/simulator/state/fiber.hpp"
#include "kernels/runtime/simulator/state/recent_clocks.hpp"
#include "kernels/runtime/simulator/state/shadow.hpp"
#include "kernels/runtime/simulator/state/store_history.hpp"
#include "kernels/runtime/simulator/state/vector_clock.hpp"
#include "kernels/runtime/simulator/state/warpgroup.hpp"
#include "kernels/runtime/simulator/trace/access_trace.hpp"
#include "kernels/runtime/simulator/trace/branch_trace.hpp"

namespace warpwright::simulator {

struct Block;
struct Warp;

enum class ThreadState : std::uint8_t { waiting_to_start, ready, at_barrier, at_warp_operation, finished };

/// A thread's vector clocks of other threads, beyond its own block's barriers and its warp; see RaceDetector.
struct ThreadClocks {
  SharedClock known;                     ///< happened before its next access
  SharedClock fenced, fenced_block;      ///< what its next strong store releases
  SharedClock observed, observed_block;  ///< what its next fence acquires
  /// The number of the last fence of the launch that happened before its next access: of any scope, and one that counts
  /// for other blocks. Only if older values are kept.
  std::uint64_t block_fence = 0, device_fence = 0;
};

struct BlockOrder {
  std::uint32_t first_thread = 0;            ///< in the launch
  std::uint32_t barrier_time = 0;            ///< accesses of its threads before this time are known to all of them
  std::uint32_t latest = 0;                  ///< latest time of its threads, and of earlier blocks in its slot
  bool knows_others = false;                 ///< some thread has fenced or observed something
  AtomicLocations locations = {};            ///< in its shared memory
  std::shared_ptr<Fences> fences = nullptr;  ///< if older values are kept
};

/// For each lane, the times up to which it knows the accesses of its warp's other lanes.
using LaneClocks = std::array<std::array<std::uint32_t, 32>, 32>;

/// A barrier in shared memory whose phases threads and bulk copies complete.
struct PhaseBarrier {
  unsigned arrivals = 0;  ///< of each phase
  unsigned missing = 0;   ///< arrivals, for the phase that runs
  std::size_t bytes = 0;  ///< of copies for which the phase waits
  std::uint64_t phase = 0;
  AccessRecord set_up = {};        ///< by which thread, and where
  bool visible_to_copies = false;  ///< that thread has executed a fence since
};

/// Rarely used parts of a thread, separate from those that every switch uses.
struct ThreadExtras {
  ThreadClocks clocks;
  RecentClocks released;                ///< by its release stores: its later strong stores there release the same
  RecentClocks observed;                ///< by its strong loads: a later load there that acquires also acquires this
  unsigned copy_group = 0;              ///< the group of asynchronous copies that is being filled
  unsigned store_group = 0;             ///< the same of bulk copies from shared memory
  std::uint64_t cluster_phases = 0;     ///< of its cluster's barrier that it has waited for
  bool has_arrived_at_cluster = false;  ///< and not waited since
  LaneProducts products;
};

struct Thread {
  Fiber* fiber = nullptr;
  Block* block = nullptr;
  Warp* warp = nullptr;
  ThreadExtras* extras = nullptr;
  const void* site = nullptr;    ///< where it waits
  const void* polled = nullptr;  ///< the address of its last volatile or atomic access, and the value there
  std::uint64_t polled_value = 0;
  bool in_range = false;       ///< its accesses are pieces of one, and never same-value stores
  std::uint64_t compared = 0;  ///< where, if its next basic block is the outcome of a branch; see branch_place
  std::uint64_t value = 0;     ///< operand, then result, of a warp operation; what a compare-and-swap expects
  int lane_operand = 0, width = 32;
  Index3 index{};
  std::uint32_t number = 0;  ///< in its block
  std::uint32_t id = 0;      ///< in the launch
  std::uint32_t time = 0;    ///< time of its accesses from now on; see RaceDetector
  std::uint8_t lane = 0;
  ThreadState state = ThreadState::waiting_to_start;
};

/// Threads of a warp that execute one operation together.
struct WarpGroup {
  std::uint32_t mask = 0, arrived = 0;
  WarpOperation operation{};
};

/// The barrier of a cluster of blocks.
struct ClusterBarrier {
  std::uint64_t phase = 0, arrived = 0;
  std::vector<Thread*> waiting;
  ThreadClocks order, complete;  ///< what happened before the arrivals of the running phase, and of the one before
};

/// A barrier of a block by number (bar.sync). A warp has arrived when all of its lanes have that are still there.
struct NamedBarrier {
  unsigned threads = 0;              ///< that the running phase needs; 0: nobody has arrived
  std::vector<std::uint32_t> lanes;  ///< of each warp: those that have arrived
  std::vector<Thread*> waiting;
  std::vector<Thread*> meeting;   ///< those that only wait for the other lanes of their warp
  const Thread* first = nullptr;  ///< to arrive, and where
  const void* site = nullptr;
  ThreadClocks order;  ///< what happened before the arrivals
};

struct Warp {
  Thread* lanes = nullptr;                 ///< the first of its threads
  std::uint32_t number = 0;                ///< in its block
  std::uint32_t existing = 0, exited = 0;  ///< lanes
  std::unique_ptr<LaneClocks> known = nullptr;
  AccessTrace::Warp* accesses = nullptr;  ///< this and the next only while accesses are counted
  BranchTrace::Warp* branches = nullptr;
  std::vector<WarpGroup> groups;  ///< not complete yet
  int registers = 0;              ///< of a thread, since a setmaxnreg; 0: those of the launch
};

struct Block {
  std::size_t slot = 0;  ///< index among the resident blocks
  Index3 index{};
  std::uint64_t number = 0;  ///< in the grid
  std::vector<Thread> threads;
  std::vector<ThreadExtras> extras;  ///< of the threads
  bool has_extras = false;           ///< some of them were used
  std::vector<Warp> warps;
  std::uint32_t count = 0, live = 0;   ///< of its threads: all, and those that have not left the kernel
  std::vector<Thread*> arrived;        ///< at the barrier
  std::uint32_t at_grid = 0;           ///< threads that wait for the whole grid
  const void* barrier_site = nullptr;  ///< call site of the first thread there
  CallPath barrier_path;               ///< call path of the first thread there
  BarrierReduction reduction{};
  int accumulated = 0, reduced = 0;  ///< for __syncthreads_count and similar functions
  char* window_end = nullptr;        ///< of its shared memory
  std::vector<Shadow> shadows;       ///< by number of the shared array
  std::unordered_map<std::uintptr_t, PhaseBarrier> phase_barriers;
  BlockOrder order;
  std::vector<NamedBarrier> named_barriers;  ///< empty until one of them is used
  std::vector<Warpgroup> warpgroups;         ///< empty until one of them is used
  std::vector<Thread*> at_products;          ///< threads that wait for other warps to start a product
  int launch_registers = 0;                  ///< of a thread, as far as setmaxnreg tells; 0: nobody asked
  std::vector<Thread*> at_registers;         ///< threads that wait for more of them
};

}  // namespace warpwright::simulator
