// For tests: a kernel in which one warp loads tiles by bulk copies into a ring of stages, and the others use them.
#pragma once

#include <string>

namespace warpwright::simulator {

/// ring<Stages>(in, out, tiles): out[i] = 2 in[i], but with each tile of 128 floats reversed. The first warp of a block
/// loads; the others wait for full stages and release them when they are done. For sm_90 and the simulator.
inline const std::string ring_kernel = R"(
using namespace warpwright;

template <int Stages>
__global__ void ring(const float* in, float* out, int tiles) {
  constexpr int kTile = 128;
  alignas(16) __shared__ float stage[Stages][kTile];
  __shared__ phase_barrier full[Stages];
  __shared__ phase_barrier empty[Stages];
  const int consumers = static_cast<int>(blockDim.x) - 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < Stages; ++s) {
      phase_init(&full[s], 1);
      phase_init(&empty[s], consumers);
    }
    fence_async();
  }
  __syncthreads();

  int round = 0;
  if (threadIdx.x == 0) {
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++round) {
      const int s = round % Stages;
      const unsigned parity = round / Stages & 1;
      phase_wait(&empty[s], parity ^ 1);
      phase_arrive_expect(&full[s], kTile * 4);
      bulk_copy(stage[s], in + tile * kTile, kTile * 4, &full[s]);
    }
  } else if (threadIdx.x >= 32) {
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++round) {
      const int s = round % Stages;
      const unsigned parity = round / Stages & 1;
      phase_wait(&full[s], parity);
      for (int i = static_cast<int>(threadIdx.x) - 32; i < kTile; i += consumers)
        out[tile * kTile + i] = 2 * stage[s][kTile - 1 - i];
      phase_arrive(&empty[s]);
    }
  }
}
)";

}  // namespace warpwright::simulator
