// The result of an execution in the simulator: its findings, and its launches' requests to the memory system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/simulator/results/finding.hpp"

namespace warpwright::simulator {

/// A kernel's requests to the memory system. A request is one access of the active lanes of a warp.
struct AccessCounts {
  std::uint64_t global_load_requests = 0, global_load_sectors = 0;  ///< sectors of 32 bytes
  std::uint64_t global_store_requests = 0, global_store_sectors = 0;
  std::uint64_t global_load_bytes = 0, global_store_bytes = 0;         ///< distinct bytes of each request
  std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0;  ///< wavefronts beyond the least are conflicts
  std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0;
  std::uint64_t shared_least_wavefronts = 0;             ///< wavefronts of loads and stores without bank conflicts
  std::uint64_t global_atomics = 0, shared_atomics = 0;  ///< counted for single threads
  std::uint64_t shared_atomic_requests = 0, shared_atomic_wavefronts = 0;  ///< lanes on one bank take turns
  std::uint64_t constant_bytes = 0;                       ///< of __constant__ variables that single threads read
  std::uint64_t barriers = 0;                             ///< __syncthreads of whole blocks
  std::uint64_t warp_operations = 0;                      ///< shuffles, votes, __syncwarp of whole groups
  std::uint64_t shuffles = 0, votes = 0, reductions = 0;  ///< among these
  std::uint64_t matched_values = 0;                       ///< distinct values of each __match_any_sync
  std::uint64_t branches = 0, divergent_branches = 0;     ///< of warps; see BranchTrace

  AccessCounts& operator+=(const AccessCounts& other);
  AccessCounts& operator-=(const AccessCounts& earlier);
  /// So many times each count, rounded.
  AccessCounts times(double factor) const;
  bool operator==(const AccessCounts&) const = default;
};

/// Counts that grow by the same number from step to step: those of step `at`, if these three are of steps 1 to 3.
/// Nothing if one of them does not grow like that; rounding is none of it.
std::optional<AccessCounts> on_a_line(const AccessCounts& first, const AccessCounts& second, const AccessCounts& third,
                                      double at);

/// Atomic updates of one buffer of the plan by a launch. Those on one line of the L2 are serialised.
struct AtomicCounts {
  std::size_t buffer = 0;          ///< its number in the plan
  std::uint64_t updates = 0;       ///< of single threads
  std::uint64_t busiest_line = 0;  ///< the most of them on one line of 128 bytes

  bool operator==(const AtomicCounts&) const = default;
};

struct LineAccess {
  std::string file;
  int line = 0;
  AccessCounts counts;
};

/// A part of a buffer.
struct Page {
  static constexpr std::size_t size = 512;  ///< of random accesses, each needs a page of its own
  std::size_t buffer = 0;                   ///< its number in the plan
  std::uint64_t number = 0;
  std::vector<std::byte> bytes = {};  ///< fewer at the end of the buffer
};

/// What a block that ran did to a buffer.
struct BlockAccesses {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  Dim3 block = {};
  std::uint64_t stored = 0;          ///< bytes that no other block before stored
  std::uint64_t first_store = none;  ///< the byte
  std::uint64_t first_load = none;   ///< likewise
};

/// What the blocks that ran of one launch did to a buffer.
struct SampledAccesses {
  std::size_t buffer = 0;      ///< its number in the plan
  Dim3 grid = {};              ///< of the launch, of which some blocks ran
  bool is_only_store = false;  ///< an output that no other launch stores to, and no other step
  std::vector<BlockAccesses> blocks = {};
};

struct Execution {
  std::vector<Finding> findings;  ///< empty: nothing is wrong
  /// What is allowed but may explain a wrong result: loads that returned an older value, with the store that they did
  /// not see, and shuffles that returned poison. The first ones in words, and how many there were.
  std::vector<std::string> hints;
  std::uint64_t hint_count = 0;
  /// Signed arithmetic that overflowed and shifts that were too wide, without harm that is known; each line once.
  std::vector<Finding> arithmetic;
  /// Atomic exchanges of memory that nobody wrote, each line once: no findings, unless a result depends on what was
  /// there.
  std::vector<Finding> exchanged;
  std::vector<ToleratedFinding> tolerated;    ///< findings that `lenient` tolerates, each location once
  AccessCounts access;                        ///< of all launches together
  std::vector<LineAccess> lines;              ///< by file and line
  std::vector<AccessCounts> launches;         ///< parallel to launches_of(plan), the sum over all of its times
  std::vector<std::uint64_t> launch_threads;  ///< likewise: CUDA threads that were started
  std::vector<std::vector<AtomicCounts>> launch_atomics;  ///< likewise: by buffer, those that had any
  std::uint64_t threads = 0;                              ///< of all launches together
  std::uint64_t thread_steps = 0;                         ///< checked accesses and waits
  std::vector<Page> missing;             ///< of inputs, without their bytes: simulate_blocks needs them
  std::vector<SampledAccesses> sampled;  ///< of simulate_blocks with blocks that are spread
  std::uint64_t basic_blocks = 0;        ///< that threads began
  /// The plan's buffers after a second run, which was made because the first one left other values in variables of the
  /// module than it found; empty if none was made.
  std::vector<std::vector<std::byte>> second_buffers = {};
  /// Of simulate_all: executions that were made, and whether these are all that differ.
  std::uint64_t explored = 0;
  bool is_exhausted = false;
  /// Of simulate_all: the plan's buffers after those executions that left other outputs than the first, each once.
  std::vector<std::vector<std::vector<std::byte>>> other_buffers = {};

  bool clean() const { return findings.empty(); }
  /// The hints as text to append to the text of a failure; empty if there are none.
  std::string hints_text() const;
};

/// The bytes of a buffer that were touched.
struct Touched {
  std::size_t begin = 0, end = 0;
  bool writes = false;
};

}  // namespace warpwright::simulator
