// Twice every element, by way of shared memory: wrong.
#include <cuda_pipeline.h>

__global__ void unfinished_copy(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[i], sizeof(float));
  __pipeline_commit();
  out[i] = 2.0f * tile[threadIdx.x];
}
