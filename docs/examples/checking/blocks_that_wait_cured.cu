// Twice every element; the blocks wait for each other: cured.
#include <cooperative_groups.h>

__global__ void blocks_that_wait(const float* in, float* out, int* arrived, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cooperative_groups::this_grid().sync();
  if (i < n) out[i] = 2.0f * in[i];
}
