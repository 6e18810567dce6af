// A test case: one configuration, problem, input and schedule. It can be written as one line of text and read back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/core/target.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// Name of the check that runs a case twice on the simulator, under two schedules, and requires the same bits.
inline constexpr std::string_view kDeterminism = "determinism";

/// Name of the check that runs only some blocks of each launch on the simulator, and compares nothing.
inline constexpr std::string_view kSampled = "sampled_blocks";

/// Name of the check that compares the outputs of all executions of a small case on the simulator with the oracle.
inline constexpr std::string_view kAllSchedules = "all_schedules";

struct Case {
  const Kernel* kernel = nullptr;
  Point params;
  Problem problem;
  Input input;
  std::string law;  ///< name of the law to check, or one of the names above; empty: compare with the oracle
  std::uint64_t schedule_seed = 0;  ///< simulator only: order of threads, warps and blocks
  int resident_blocks = 0;          ///< simulator only: number of blocks that run interleaved; 0 derives it from the
                                    ///< seed
  /// Simulator only: weak memory. `stale_loads` loads, chosen by the seed among those that may return an older value,
  /// get one; the last of them is within the first `stale_end`.
  std::uint32_t stale_loads = 0, stale_end = 0;
  int multiprocessors = 0;  ///< simulator only: SM count of the device for which plans are made; 0: the simulator's
                            ///< default
  std::string target = host_target();  ///< "host/sm_XX" or "sm_XX"

  bool operator==(const Case&) const = default;
};

/// The line that reproduces the case:
/// kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,float,1] input=exact:7 check=oracle
/// schedule=3:1 target=host/sm_90
/// If loads return older values, also stale=STALE_LOADS:STALE_END, as stale=1:7; if the device's size is not the
/// default, multiprocessors=40.
std::string repro_line(const Case& test);

/// The inverse. Missing fields get their simplest values, and so does the architecture of "target=host". Throws
/// std::invalid_argument, which says what is wrong.
Case parse_repro(const Catalogue& catalogue, std::string_view line);

/// The device that the case's plan is made for; `usual` is the target's default device.
Device device_for(const Case& test, const Device& usual);

}  // namespace warpwright::conformance
