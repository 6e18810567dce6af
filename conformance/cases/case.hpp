// A case: one configuration on one problem with one input and one schedule; as a line of plain values and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/core/target.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// The check that runs a case twice, on the host under two schedules, and asks for the same bits.
inline constexpr std::string_view kDeterminism = "determinism";

struct Case {
  const Kernel* kernel = nullptr;
  Point params;
  Problem problem;
  Input input;
  std::string law;                  ///< name of the law that is checked, or kDeterminism; empty: the oracle
  std::uint64_t schedule_seed = 0;  ///< host only: order of threads, warps and blocks
  int resident_blocks = 0;          ///< host only: blocks that run interleaved; 0 draws it from the seed
  /// Host only, where the memory model allows loads an older value: of those that the seed chooses so many get one, the
  /// last of the first `stale_end`.
  std::uint32_t stale_loads = 0, stale_end = 0;
  int multiprocessors = 0;  ///< host only: of the device that plans are made for; 0: those of the host device
  std::string target = host_target();  ///< "host/sm_XX" or "sm_XX"

  bool operator==(const Case&) const = default;
};

/// The line that reproduces the case alone:
/// kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,float,1] input=exact:7 check=oracle
/// schedule=3:1 target=host/sm_90
/// Where loads may be given older values, also how many, and of how many: stale=1:7; where the device is not the host's
/// usual one, its size: multiprocessors=40.
std::string repro_line(const Case& test);

/// The inverse; what is left out takes its simplest value, and so does the architecture of "target=host". Throws
/// std::invalid_argument that says what is wrong.
Case parse_repro(const Catalogue& catalogue, std::string_view line);

/// The device that the case's plan is made for, on a target whose device is `usual`.
Device device_for(const Case& test, const Device& usual);

}  // namespace warpwright::conformance
