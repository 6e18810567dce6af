// The properties of a device that plans and predictions depend on.
#pragma once

#include <cstdint>
#include <string>

namespace warpwright {

/// One GPU board. Sizes in bytes, clocks in MHz, bandwidth in GB/s (1e9 bytes); peaks, not measurements.
struct Device {
  std::string model;            ///< e.g. "Tesla T4"
  int compute_capability = 75;  ///< major * 10 + minor
  int sm_count = 40;
  int sm_clock_mhz = 0;
  double memory_bandwidth_gbs = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  int max_threads_per_block = 1024;
  int max_threads_per_sm = 1024;
  int max_blocks_per_sm = 16;
  int registers_per_sm = 65536;
  int registers_per_block = 65536;
  int shared_per_sm = 65536;     ///< bytes
  int shared_per_block = 49152;  ///< without cudaFuncSetAttribute
  int shared_per_block_optin = 65536;
  int shared_reserved_per_block = 0;  ///< taken by CUDA from every block
  int fp32_lanes_per_sm = 64;         ///< float FMA per clock and SM
  int fp64_lanes_per_sm = 2;
  bool is_ours_alone = false;  ///< the user says that nobody else uses it: its memory may be overcommitted

  /// "sm_75"
  std::string arch() const { return "sm_" + std::to_string(compute_capability); }
};

/// Peak multiply-adds (FMA) per clock and SM. Sources: CUDA C++ Programming Guide 13.0, arithmetic throughput table;
/// for the matrix units NVIDIA's A100 and H100 architecture white papers (doubles: 19.5 TFLOP/s on 108 SMs at 1,410
/// MHz, 67 on 132 at 1,980; halves: 312 on 108 at 1,410, 989 on 132 at 1,830) and T4 data sheet (halves: 65 on 40 at
/// 1,590).
struct Lanes {
  int fp32 = 128;
  int fp64 = 2;
  int fp64_matrix = 0;     ///< of the tensor cores on doubles, which libraries use for matrix products; 0: none
  int half_matrix = 4096;  ///< of the tensor cores on 16-bit numbers; for unlisted boards an upper limit
};

constexpr Lanes lanes_per_sm(int compute_capability) {
  switch (compute_capability) {
    case 75:
      return {.fp32 = 64, .fp64 = 2, .half_matrix = 512};
    case 80:
      return {.fp32 = 64, .fp64 = 32, .fp64_matrix = 64, .half_matrix = 1024};
    case 90:
      return {.fp32 = 128, .fp64 = 64, .fp64_matrix = 128, .half_matrix = 2048};
    case 100:
      return {.fp32 = 128, .fp64 = 64};
    default:
      return {};
  }
}

}  // namespace warpwright
