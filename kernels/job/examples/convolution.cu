// A filter over an image with a border, in a tile of shared memory. The block size is a macro.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#ifndef block_size_x
#define block_size_x 16
#endif
#ifndef block_size_y
#define block_size_y 16
#endif
#ifndef use_padding
#define use_padding 1
#endif
#define FILTER 5

__constant__ float d_filter[FILTER * FILTER];

// out[y][x] = sum of filter[i][j] * in[y + i][x + j]; in has a border of FILTER - 1.
__global__ void convolution_kernel(float* out, const float* __restrict__ in, int height, int width) {
  __shared__ float tile[block_size_y + FILTER - 1][block_size_x + FILTER - 1 + use_padding];
  const int x0 = blockIdx.x * block_size_x;
  const int y0 = blockIdx.y * block_size_y;
  const int in_width = width + FILTER - 1;
  const int in_height = height + FILTER - 1;
  for (int y = threadIdx.y; y < block_size_y + FILTER - 1; y += block_size_y)
    for (int x = threadIdx.x; x < block_size_x + FILTER - 1; x += block_size_x)
      if (y0 + y < in_height && x0 + x < in_width) tile[y][x] = in[(y0 + y) * in_width + x0 + x];
  __syncthreads();
  const int x = x0 + threadIdx.x;
  const int y = y0 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < FILTER; ++i)
    for (int j = 0; j < FILTER; ++j) sum += d_filter[i * FILTER + j] * tile[threadIdx.y + i][threadIdx.x + j];
  out[y * width + x] = sum;
}

__global__ void plain(float* out, const float* in, int height, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  float sum = 0;
  for (int r = 0; r < FILTER; ++r)
    for (int c = 0; c < FILTER; ++c)
      sum += d_filter[r * FILTER + c] * in[(i / width + r) * (width + FILTER - 1) + i % width + c];
  out[i] = sum;
}

int main() {
  std::vector<float> host(100);
  convolution_kernel<<<dim3(4, 4), dim3(block_size_x, block_size_y)>>>(nullptr, host.data(), 64, 64);
  printf("done\n");
}
