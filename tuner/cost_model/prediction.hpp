// A first honest analytic model: predicted microseconds of a plan on a board from compile-time and traced facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "tuner/cost_model/speed_of_light.hpp"
#include "tuner/cost_model/hot_loop.hpp"

namespace warpwright::tuner {

/// Warp-level counts of one launch, all its repetitions together, scaled to the full problem by the caller. A count of
/// 0 loads or stores in all launches where the work has bytes means not traced: perfectly coalesced 4-byte accesses are
/// assumed.
struct AccessFacts {
  double load_requests = 0, load_sectors = 0;    ///< global loads; a sector is 32 bytes
  double store_requests = 0, store_sectors = 0;  ///< global stores
  double shared_requests = 0;                    ///< shared loads and stores
  double shared_wavefronts = 0;                  ///< shared_requests where there is no conflict
  double barriers = 0;                           ///< arrivals of warps at block barriers
  double atomics = 0;                            ///< global atomics, per thread
  double atomics_same_line = 0;                  ///< the most of them on one line of 128 bytes
};

/// One launch of a plan, what the compiler said about its kernel, and what it asks of the memory system.
struct LaunchFacts {
  std::uint64_t grid = 0;        ///< blocks
  int block = 0;                 ///< threads
  int registers = 0;             ///< per thread
  std::int64_t spill_bytes = 0;  ///< spill stores + spill loads, bytes per thread
  int static_shared_bytes = 0;
  int dynamic_shared_bytes = 0;
  std::int64_t times = 1;     ///< how often the plan repeats it
  int independent_loads = 0;  ///< global loads of a thread in flight together; 0: as many as it does, up to 4
  AccessFacts access = {};
  std::optional<HotLoop> loop = {};  ///< what the machine code says of its arithmetic; none: not known
  double handovers = 0;              ///< how often blocks hand on what the next waits for, in the longest chain of them
};

/// Where the time goes, in microseconds, summed over the launches. `dram` to `latency` overlap: see predict().
struct Breakdown {
  double dram = 0;       ///< bytes moved / attainable bandwidth
  double l2 = 0;         ///< sectors through the L2, spills and atomics among them
  double shared = 0;     ///< wavefronts of shared memory, and where the loop is known of all loads and stores
  double issue = 0;      ///< warp instructions, four per clock and SM
  double compute = 0;    ///< operations / peak rate, or the busiest kind of lanes
  double waits = 0;      ///< a warp alone in its hot loop, or in integer arithmetic: what others must fill
  double atomics = 0;    ///< on the same line, one after the other
  double handovers = 0;  ///< from block to block through the L2, one after the other
  double blocks = 0;     ///< starting blocks, one after the other for all of the board
  double latency = 0;    ///< rounds of memory latency that the resident warps cannot hide
  double barriers = 0;   ///< phases between barriers that no other resident block fills
  double tail = 0;       ///< idle SMs in the last wave of blocks
  double launch = 0;     ///< starting and draining kernels
};

struct Prediction {
  double us = 0;
  Breakdown breakdown;
  std::string dominant;         ///< the name of the largest term, e.g. "dram"
  double occupancy = 0;         ///< 0..1, of the launch with most threads
  std::string occupancy_limit;  ///< of that launch
  bool launchable = true;       ///< false: us is infinity and `dominant` is what forbids the launch
};

/// Made to rank the configurations of one kernel, not to be believed to the microsecond. The bytes of `work` are split
/// over the launches by the sectors that each moves, its operations by their threads. With `warps` per launch, R of
/// them resident, W = max(1, warps / R) waves:
/// - dram = (ideal bytes + missed excess) / (0.92 bandwidth); the excess is what sectors move beyond the ideal bytes.
///   75 % of excess loads and 60 % of excess stores are found in the L2 if what the resident warps touch at once
///   fits, all of them if the whole problem fits in half of it; a missed excess store is a read and a write.
/// - latency = W (0.5 us + 0.7 us loads per warp / independent loads): Little's law. The two constants, start of a
///   block and loaded memory latency, sum to what y = 2x with one float a thread shows on an H200 (PATTERNS.md).
/// - l2 = sectors * 32 / (20 bytes per clock and SM); shared = wavefronts * (2 clocks on 7.5, else 1) per SM: both
///   after Z. Jia et al., Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking, 2019 (1,270 and 3,662 GB/s).
/// - blocks = 1.2 clocks each, whatever they do: at 1,980 MHz an H200 and an H100 take 634 to 636 us for 2^20 blocks of
///   32 or 64 threads, by any of 56 configurations of transpose, and an H200 1,272 us for the 2^21 of y = 2x.
/// - Integers: an operation is an instruction, 6 clocks before the next one of its warp (waits).
/// - issue: 5 instructions an access, one a warp of FMAs; atomics = 2 clocks each on the same line of 128 bytes: an
/// H200
///   takes 2,069 us for 2^24 of them on 256 counters of 4 bytes. Handovers = 0.31 us each: what a chain of 1,024 to
///   10,923 blocks of scan/domino takes there (307 to 344 ns).
/// - Where the hot loop is known, its turns make issue, compute (the busiest lanes) and waits
/// (docs/design/prediction.md).
///   Loads that no shared memory holds then find 80 % of what was read before in the L1, which asks the L2 and memory
///   for the rest, and only what must come from memory has its latency.
/// - throughput = 6-norm of the terms so far: they overlap, the largest counts, neighbours soften the knee.
/// - barriers = 0.4^B throughput, with B resident blocks an SM: a block asks nothing of memory for 0.4 of its time, and
///   memory waits where all of them do; where a warp has more than 8 loads for each barrier, so much less. tail = half
///   of what whole waves would add; launch = 2 us and 1 us for each further one.
/// The shares found in the L2 and the 0.4 are fitted to the five transposes published for the RTX 2080 Ti; the 0.92
/// to copies on several boards. Roofline: S. Williams et al., CACM 52(4), 2009; latency: V. Volkov, Understanding
/// Latency Hiding on GPUs, 2016. What it does not know: partition camping, TLBs, clocks
/// below boost. Throws std::invalid_argument for a device without clock, SMs or bandwidth, or a launch without
/// threads. No launches take no time.
Prediction predict(const Device& device, const Work& work, const std::vector<LaunchFacts>& launches);

}  // namespace warpwright::tuner
