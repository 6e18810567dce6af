// What an execution in the simulator is asked for: its device, its schedule, its limits and its checks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::simulator {

/// The order in which threads, warps and blocks run is drawn from the seed; the same seed gives the same order. Seed 0
/// is the simplest one: everything in its natural order.
struct Schedule {
  std::uint64_t seed = 0;
  int resident_blocks = 0;  ///< blocks that run interleaved; 0 draws it from the seed (seed 0: 2)
  /// Volatile and atomic loads that the memory model allows an older value: of those that the seed chooses (under half
  /// of all seeds none) so many are given one, the last of the first `stale_end`.
  std::uint32_t stale_loads = 0, stale_end = 0;

  bool operator==(const Schedule&) const = default;
};

/// Threads of the largest cooperative launch that the host runs: all of them are there together.
inline constexpr std::uint64_t most_cooperative_threads = 30'000;

struct Limits {
  std::uint64_t steps = 200'000'000;  ///< checked accesses and waits of one execution; more is a hang
  int findings = 16;                  ///< later ones are dropped
  /// Basic blocks between two looks at the step limit, at least a million steps apart; more is a hang.
  std::uint64_t blocks = std::uint64_t{1} << 29;
};

struct SimulationOptions {
  Device device;
  Schedule schedule;
  Limits limits;
  bool count_accesses = false;    ///< fill `access`, `lines` and `launches` of the Execution; costs time
  bool check_races = true;        ///< report data races
  bool check_initialised = true;  ///< report reads of memory that nobody wrote
  /// Take threads that left the kernel as having arrived at barriers, and lanes that left or that the block does not
  /// have at warp operations, as the hardware does. Otherwise waiting for them is a finding.
  bool accept_exited_threads = false;
  std::vector<StrictRule> lenient = {};  ///< what these are about goes on, and is no finding
  std::optional<int> poison = {};        ///< the byte in memory that nobody wrote; else drawn from the schedule's seed
};

}  // namespace warpwright::simulator
