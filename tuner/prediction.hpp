// A first honest analytic model: predicted microseconds of a plan on a board from compile-time and traced facts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/model/device.hpp"
#include "tuner/floor.hpp"

namespace warpwright::tuner {

/// One launch of a plan and what the compiler said about its kernel.
struct LaunchFacts {
  std::uint64_t grid = 0;        ///< blocks
  int block = 0;                 ///< threads
  int registers = 0;             ///< per thread
  std::int64_t spill_bytes = 0;  ///< spill stores + spill loads, bytes per thread
  int static_shared_bytes = 0;
  int dynamic_shared_bytes = 0;
  std::int64_t times = 1;  ///< how often the plan repeats it
};

/// Warp-level counts of all timed launches of a plan, scaled to the full problem by the caller.
struct AccessFacts {
  double load_requests = 0, load_sectors = 0;    ///< global loads; a sector is 32 bytes
  double store_requests = 0, store_sectors = 0;  ///< global stores
  double shared_requests = 0;                    ///< shared loads and stores
  double shared_wavefronts = 0;                  ///< shared_requests where there is no conflict
  double barriers = 0;                           ///< arrivals of warps at block barriers
  double atomics = 0;                            ///< global atomics, per thread
  double atomics_same_address = 0;               ///< the most of them on one address
};

/// Where the time goes, in microseconds. Of the first five, the largest counts and the others are hidden.
struct Breakdown {
  double dram = 0;     ///< bytes moved / attained bandwidth
  double l2 = 0;       ///< sectors through the L2, spills and atomics among them
  double shared = 0;   ///< wavefronts, one per clock and SM
  double issue = 0;    ///< warp instructions, four per clock and SM
  double compute = 0;  ///< flops / peak rate
  double atomics = 0;  ///< on the same address, one after the other
  double latency = 0;  ///< waves of blocks: fill, drain, barriers
  double launch = 0;   ///< per launch
  double tail = 0;     ///< of the throughput terms: idle SMs in the last wave
};

struct Prediction {
  double us = 0;
  Breakdown breakdown;
  std::string dominant;         ///< the largest term's name, e.g. "dram"
  double occupancy = 0;         ///< 0..1, of the launch with most threads
  std::string occupancy_limit;  ///< of that launch
  bool launchable = true;       ///< false: us is infinity and `dominant` is the limit
};

Prediction predict(const Device& device, const Work& work, const std::vector<LaunchFacts>& launches,
                   const AccessFacts& access);

}  // namespace warpwright::tuner
