// The analytic cost model: predicts the time of a plan on a board from compile-time and traced facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "tuner/cost_model/hot_loop.hpp"
#include "tuner/cost_model/speed_of_light.hpp"

namespace warpwright::tuner {

/// Warp-level counts of one launch, summed over its repetitions; the caller scales them to the full problem. If all
/// launches have 0 loads (or stores) but the work has bytes, nothing was traced, and perfectly coalesced 4-byte
/// accesses are assumed.
struct AccessFacts {
  double load_requests = 0, load_sectors = 0;      ///< global loads; a sector is 32 bytes
  double store_requests = 0, store_sectors = 0;    ///< global stores
  double shared_requests = 0;                      ///< shared loads and stores
  double shared_least_wavefronts = 0;              ///< without bank conflicts; 0: as many as requests
  double constant_bytes = 0;                       ///< of __constant__ variables, that single threads read
  double shared_wavefronts = 0;                    ///< equals shared_requests without bank conflicts
  double shuffles = 0, votes = 0, reductions = 0;  ///< between the lanes of a warp
  double matched_values = 0;                       ///< distinct values that warps match
  double barriers = 0;                             ///< warps arriving at block barriers
  double atomics = 0;                              ///< global atomics, per thread
  double atomics_same_line = 0;                    ///< the largest number on one line of 128 bytes
};

/// One launch of a plan: its configuration, compiled kernel and memory accesses.
struct LaunchFacts {
  std::uint64_t grid = 0;        ///< blocks
  int block = 0;                 ///< threads
  int registers = 0;             ///< per thread
  std::int64_t spill_bytes = 0;  ///< spill stores + spill loads, bytes per thread
  int static_shared_bytes = 0;
  int dynamic_shared_bytes = 0;
  std::int64_t times = 1;     ///< repetitions in the plan
  int independent_loads = 0;  ///< global loads that a thread has in flight at the same time; 0: all its loads, up to 4
  AccessFacts access = {};
  std::optional<HotLoop> loop = {};  ///< its arithmetic in machine code; nothing if not known
  double handovers = 0;              ///< number of links in the longest chain of blocks that wait for one another
};

/// The predicted time by cause, in microseconds, summed over the launches. `dram` to `latency` overlap: see predict().
struct Breakdown {
  double dram = 0;       ///< bytes moved / attainable bandwidth
  double l2 = 0;         ///< sectors through the L2, including spills and atomics
  double shared = 0;     ///< wavefronts of shared memory
  double l1 = 0;         ///< if the loop is known: other loads and stores, which take the same path
  double issue = 0;      ///< warp instructions, at four per clock and SM
  double compute = 0;    ///< operations / peak rate; if the loop is known, the busiest kind of lanes but the next
  double special = 0;    ///< if the loop is known: lanes of special functions and conversions
  double exchange = 0;   ///< shuffles, votes, reductions and matches between the lanes of warps
  double waits = 0;      ///< latency of the hot loop, or of integer arithmetic, that other warps must hide
  double atomics = 0;    ///< on the same line, serialized
  double handovers = 0;  ///< from block to block through the L2, serialized
  double blocks = 0;     ///< starting blocks, serialized for the whole board
  double latency = 0;    ///< memory latency that the resident warps cannot hide
  double barriers = 0;   ///< phases between barriers that no other resident block overlaps
  double tail = 0;       ///< idle SMs in the last wave of blocks
  double launch = 0;     ///< starting and finishing kernels
};

struct Prediction {
  double us = 0;
  std::vector<double> launch_us = {};  ///< of each launch, with its repetitions; their sum is `us`
  Breakdown breakdown;
  std::string limited_by;       ///< the largest term in words, such as "DRAM"
  double occupancy = 0;         ///< 0..1, for the launch with the most threads
  std::string occupancy_limit;  ///< of that launch
  bool launchable = true;       ///< if false, us is infinity and `limited_by` is the reason
};

/// Operations of all launches, from their hot loops and the traced accesses of these.
double traced_operations(const std::vector<LaunchFacts>& launches);

/// Meant to rank the configurations of one kernel; absolute times are approximate. The bytes of `work` are divided
/// among the launches in proportion to their sectors, its operations in proportion to their threads. A launch has
/// `warps` warps, of which R are resident at the same time, in W = max(1, warps / R) waves. The terms are:
/// - dram = (ideal bytes + missed excess) / (0.92 bandwidth). The excess is what sectors move beyond the ideal bytes.
/// If the data that the resident warps touch at the same time fits the L2, 75 % of excess loads and 60 % of excess
/// stores hit it; all do if the whole problem fits in half of it. A missed excess store costs a read and a write.
/// - latency = W (0.5 us + 0.7 us loads per warp / independent loads), by Little's law. The two constants, block start
/// and loaded memory latency, add up to what y = 2x with one float per thread shows on an H200 (PATTERNS.md).
/// - l2 = sectors * 32 / (20 bytes per clock and SM); shared = wavefronts * (2 clocks on sm_75, else 1) per SM, and
/// at least 2 clocks for each request where an SM has 16 load-store units (architecture.hpp). Both are after Z. Jia et
/// al., Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking, 2019 (1,270 and 3,662 GB/s).
/// - blocks = 1.2 clocks per block, independent of its work. At 1,980 MHz an H200 and an H100 take 634 to 636 us for
/// 2^20 blocks of 32 or 64 threads, in each of 56 configurations of transpose; an H200 takes 1,272 us for 2^21 blocks
/// of y = 2x.
/// - waits: an integer operation is one instruction, and the next one of its warp starts 6 clocks later.
/// - issue: 5 instructions per access, one instruction per FMA of a warp.
/// - exchange: results per clock and SM by the CUDA C++ Programming Guide: 32 of a shuffle, 64 of a vote, 16 of a
/// reduction. A match takes 2 clocks for each distinct value.
/// - atomics = 2 clocks for each on the same line of 128 bytes: an H200 takes 2,069 us for 2^24 of them on 256 counters
/// of 4 bytes.
/// - handovers = 0.31 us each: a chain of 1,024 to 10,923 blocks of scan/domino takes 307 to 344 ns per block there.
/// - If the hot loop is known, its iterations determine issue, compute (the busiest lanes) and waits
/// (docs/design/prediction.md). If the kernel does not use shared memory, 80 % of repeated loads then hit the L1; only
/// the rest goes to the L2 and memory, and only loads that must come from memory have its latency.
/// - throughput = 6-norm of the terms so far. They overlap, so the largest one counts; terms of similar size add a
/// little.
/// - barriers = 0.4^B throughput, with B resident blocks per SM: each block uses no memory bandwidth for 0.4 of its
/// time, and memory is idle when this is so for all of them. If a warp has more than 8 loads per barrier, the term is
/// proportionally smaller.
/// - tail = half of what rounding up to whole waves would add; launch = 2 us, and 1 us for each further launch.
/// The L2 hit shares and the 0.4 are fitted to five published transposes on the RTX 2080 Ti, the 0.92 to copies on
/// several boards. Roofline: S. Williams et al., CACM 52(4), 2009; latency: V. Volkov, Understanding Latency Hiding on
/// GPUs, 2016. Not modelled: partition camping, TLBs, clocks below boost.
/// Throws std::invalid_argument for a device without clock, SMs or bandwidth, or a launch without threads. Without
/// launches the time is 0.
Prediction predict(const Device& device, const Work& work, const std::vector<LaunchFacts>& launches);

}  // namespace warpwright::tuner
