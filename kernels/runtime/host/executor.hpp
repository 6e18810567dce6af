// The SIMT executor: runs a plan's kernels on the CPU, one fiber per CUDA thread, and judges every memory access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/model/device.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/runtime/host/finding.hpp"
#include "kernels/runtime/host/host_functions.hpp"
#include "kernels/runtime/host/module.hpp"

namespace warpwright::host {

/// The order in which threads, warps and blocks run is drawn from the seed; the same seed gives the same order. Seed 0
/// is the simplest one: everything in its natural order.
struct Schedule {
  std::uint64_t seed = 0;
  int resident_blocks = 0;  ///< blocks that run interleaved; 0 draws it from the seed (seed 0: 2)
  /// Volatile and atomic loads that the memory model allows an older value: of those that the seed chooses (under half
  /// of all seeds none) so many are given one, the last of the first `stale_end`.
  std::uint32_t stale_reads = 0, stale_end = 0;

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

struct ExecuteOptions {
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
  const HostFunctions* host_functions = nullptr;  ///< what the plan's host steps call
};

/// What a kernel asks of the memory system. A request is one access of a warp; lanes that are not active take no part.
struct AccessCounts {
  std::uint64_t global_load_requests = 0, global_load_sectors = 0;  ///< sectors of 32 bytes
  std::uint64_t global_store_requests = 0, global_store_sectors = 0;
  std::uint64_t global_load_bytes = 0, global_store_bytes = 0;         ///< distinct bytes asked for, per request
  std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0;  ///< wavefronts beyond the least are conflicts
  std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0;
  std::uint64_t shared_least_wavefronts = 0;             ///< what loads and stores would take without bank conflicts
  std::uint64_t global_atomics = 0, shared_atomics = 0;  ///< of single threads
  std::uint64_t barriers = 0;                            ///< __syncthreads of whole blocks
  std::uint64_t warp_operations = 0;                     ///< shuffles, votes, __syncwarp of whole groups
  std::uint64_t branches = 0, divergent_branches = 0;    ///< of warps; see BranchTrace

  AccessCounts& operator+=(const AccessCounts& other);
  AccessCounts& operator-=(const AccessCounts& earlier);
  bool operator==(const AccessCounts&) const = default;

  /// Part of the loaded and stored sectors that was asked for, 0 to 1; 1 where nothing was.
  double sector_use() const;
};

/// Atomic updates of one buffer of the plan by a launch. Those of one line of the L2 go one after the other.
struct AtomicCounts {
  std::size_t buffer = 0;          ///< its number in the plan
  std::uint64_t updates = 0;       ///< of single threads
  std::uint64_t busiest_line = 0;  ///< the most of them on any 128 bytes

  bool operator==(const AtomicCounts&) const = default;
};

struct LineAccess {
  std::string file;
  int line = 0;
  AccessCounts counts;
};

struct Execution {
  std::vector<Finding> findings;  ///< empty: nothing is wrong
  /// What is allowed, and what a wrong result may come from: loads that were given an older value, with the store that
  /// they did not see, and shuffles that gave poison. The first ones in words, and how many there were.
  std::vector<std::string> notes;
  std::uint64_t note_count = 0;
  std::vector<AllowedFinding> allowed;        ///< what would be findings without `lenient`, each place once
  AccessCounts access;                        ///< of all launches together
  std::vector<LineAccess> lines;              ///< by file and line
  std::vector<AccessCounts> launches;         ///< parallel to launches_of(plan), the sum over all of its times
  std::vector<std::uint64_t> launch_threads;  ///< likewise: CUDA threads that were started
  std::vector<std::vector<AtomicCounts>> launch_atomics;  ///< likewise: by buffer, those that had any
  std::uint64_t threads = 0;                              ///< of all launches together
  std::uint64_t thread_steps = 0;                         ///< checked accesses and waits

  bool clean() const { return findings.empty(); }
  /// The notes in words that follow those of a failure; empty where there are none.
  std::string noted() const;
};

/// Runs every step of the plan once, if its launches pass what their kernels take. `buffers` are the plan's, in its
/// order and of its sizes; `in` and `inout` are read, `out` is both (what it holds before is what the kernel sees),
/// `scratch` may be empty, else it receives its contents; it starts with bytes that nobody wrote, or with zeros where
/// it is self-restoring: then every byte must be zero afterwards. Constants start with bytes that nobody wrote too. All
/// come back as the kernels left them (those in the host's memory as the caller finds them when the plan is over for
/// the host), even when there are findings: those that end a launch (all but races, uninitialised reads and written
/// inputs) end the execution. Steps of a plan with streams run in an order drawn from the schedule's seed; two that
/// touch the same bytes, one of them writing, with nothing to order them are a race. Throws std::invalid_argument for
/// buffers that are not the plan's, or a plan that names a buffer it does not have.
Execution execute(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
                  const ExecuteOptions& options = {});

}  // namespace warpwright::host
