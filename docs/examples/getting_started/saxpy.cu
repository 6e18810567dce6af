// y = a * x + y, as a program of its own. Its launch rounds the grid up, and its kernel does not test the index.
#include <cstdio>
#include <cuda_runtime.h>

#define BLOCK 256

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 20;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  saxpy<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(2.0f, x, y, n);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
