// y = 2 * x; `plain` gives the right answers.
#include <cuda_runtime.h>

#ifndef BLOCK
#define BLOCK 128
#endif

__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

__global__ void plain(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + x[i];
}

void launch(const float* x, float* y, int n) {
  scale<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
