// Options of an execution in the simulator: its device, its schedule, its limits and its checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/core/random.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::simulator {

/// The order in which threads, warps and blocks run is drawn from the seed; the same seed gives the same order. Seed 0
/// is the simplest one: everything in its natural order.
struct Schedule {
  std::uint64_t seed = 0;
  int resident_blocks = 0;  ///< blocks that run interleaved; 0 draws it from the seed (seed 0: 2)
  /// Volatile and atomic loads that return an older value that the memory model allows. The seed chooses among such
  /// loads (none for half of all seeds). Of the first `stale_end` chosen ones the last `stale_loads` return one.
  std::uint32_t stale_loads = 0, stale_end = 0;

  bool operator==(const Schedule&) const = default;
};

/// Whether products and sums are rounded together (fused multiply-adds) in schedules of that seed: in one of four, and
/// not in the simplest one.
inline bool contracts_in(std::uint64_t seed) {
  return seed != 0 && Random(~seed * 0x9fb21c651e98df25u).below(4) == 0;
}

/// Threads of the largest cooperative launch that the simulator runs: all of them are resident at once.
inline constexpr std::uint64_t most_cooperative_threads = 30'000;

/// Threads of the largest launch of which all schedules are explored.
inline constexpr std::size_t most_explored_threads = 64;

struct Limits {
  std::uint64_t steps = 200'000'000;              ///< checked accesses and waits of one execution
  int findings = 16;                              ///< later ones are dropped
  std::uint64_t blocks = std::uint64_t{1} << 32;  ///< basic blocks of one launch
};

struct SimulationOptions {
  Device device;
  Schedule schedule;
  Limits limits;
  bool count_accesses = false;    ///< fill `access`, `lines` and `launches` of the Execution; costs time
  bool check_races = true;        ///< report data races
  bool check_initialised = true;  ///< report reads of unwritten memory
  /// As the hardware does, count threads that left the kernel as arrived at barriers, and lanes that left or do not
  /// exist as arrived at warp operations. Otherwise waiting for them is a finding.
  bool accept_exited_threads = false;
  std::vector<StrictRule> lenient = {};  ///< what these rules are about is tolerated, not a finding
  /// Variables of the module may keep values from one run of the plan to the next. Otherwise a load of such a value is
  /// a finding.
  bool keeps_state = false;
  int sampled_blocks = 0;  ///< of simulate_blocks
  /// Those are spread over all dimensions of the grid, the first of them in its middle: edges have the share of them
  /// that they have of the grid. Else they are the first one, the last one, and some between.
  bool spread_blocks = false;
  /// With `spread_blocks`: so many more run. They are the first block of the grid, its neighbours, and the last block.
  static constexpr int kFirstBlocks = 5;
  bool first_blocks = false;
  std::uint64_t explored = 0;            ///< of simulate_all: the most executions
  std::optional<int> poison = {};        ///< the byte in memory that nobody wrote; none: drawn from the schedule's seed
  std::optional<int> matrix_adder = {};  ///< which of matrix_adders sums; none: drawn from the schedule's seed
  std::optional<bool> contracts = {};    ///< multiply-adds are rounded once; none: drawn from the schedule's seed
};

}  // namespace warpwright::simulator
