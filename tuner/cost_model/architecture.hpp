// What differs between the multiprocessors of architectures, besides the rates of arithmetic.
#pragma once

namespace warpwright::tuner {

/// Clocks from an instruction to the use of its result, without contention.
struct Latencies {
  int l2 = 270;     ///< a global load that hits there; memory latency is a separate term of the model
  int l1 = 35;      ///< likewise in the L1, which also has a thread's local memory
  int shared = 29;  ///< a load from shared memory; shuffles take the same path
};

/// Those of a compute capability, such as 75.
constexpr Latencies latencies_of(int compute_capability) {
  switch (compute_capability) {
    // Z. Jia et al., Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking, 2019, table 3.1: T4.
    case 75:
      return {.l2 = 188, .l1 = 32, .shared = 19};
    // W. Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking, 2024, table
    // IV: A100.
    case 80:
      return {.l2 = 262, .l1 = 38, .shared = 29};
    // L1 and shared memory: the RTX 3070 as M. Khairy et al., Accel-Sim, ISCA 2020, measure it (SM86_RTX3070 in
    // gpgpu-sim_distribution). L2: nothing published was found, so it is that of the next architecture.
    case 86:
    case 87:
    case 88:
      return {.l2 = 273, .l1 = 39, .shared = 29};
    // Luo et al., table IV: RTX 4090.
    case 89:
      return {.l2 = 273, .l1 = 43, .shared = 30};
    // Luo et al., table IV: H800 PCIe. Nothing was looked up for later ones.
    default:
      return {.l2 = 263, .l1 = 41, .shared = 29};
  }
}

/// The path of loads and stores, of an SM and per clock.
struct LoadStorePath {
  double lanes = 32;   ///< whose addresses it takes
  double bytes = 128;  ///< to or from the L1 or shared memory
};

/// Sources for lanes: the drawings of an SM, with its LD/ST units, in NVIDIA's white papers on Turing (16), A100 (32),
/// GA102 (16), Ada (16), H100 (32) and RTX Blackwell (16). Sources for bytes: the white paper on GA102, which says that
/// it has 128 and Turing 64; Jia et al. measured 58 on a T4.
constexpr LoadStorePath load_store_path_of(int compute_capability) {
  switch (compute_capability) {
    case 75:
      return {.lanes = 16, .bytes = 64};
    case 86:
    case 87:
    case 88:
    case 89:
    case 120:
    case 121:
      return {.lanes = 16, .bytes = 128};
    default:
      return {};
  }
}

}  // namespace warpwright::tuner
