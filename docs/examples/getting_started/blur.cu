// The mean of each pixel and its eight neighbours; a block keeps its tile and the border around it in shared memory.
#include <cuda_runtime.h>

#ifndef TILE_X
#define TILE_X 32
#endif
#ifndef TILE_Y
#define TILE_Y 8
#endif
#ifndef ROWS_EACH
#define ROWS_EACH 1
#endif
#define TILE_ROWS (TILE_Y * ROWS_EACH)

__device__ float pixel(const float* image, int height, int width, int y, int x) {
  y = y < 0 ? 0 : y >= height ? height - 1 : y;
  x = x < 0 ? 0 : x >= width ? width - 1 : x;
  return image[y * width + x];
}

__global__ void blur(const float* image, float* result, int height, int width) {
  __shared__ float tile[TILE_ROWS + 2][TILE_X + 2];
  const int left = blockIdx.x * TILE_X - 1, top = blockIdx.y * TILE_ROWS - 1;
  for (int y = threadIdx.y; y < TILE_ROWS + 2; y += TILE_Y)
    for (int x = threadIdx.x; x < TILE_X + 2; x += TILE_X) tile[y][x] = pixel(image, height, width, top + y, left + x);
  __syncthreads();
  for (int i = 0; i < ROWS_EACH; ++i) {
    const int y = threadIdx.y + i * TILE_Y, x = threadIdx.x;
    float sum = 0;
    for (int dy = 0; dy < 3; ++dy)
      for (int dx = 0; dx < 3; ++dx) sum += tile[y + dy][x + dx];
    if (top + 1 + y < height && left + 1 + x < width) result[(top + 1 + y) * width + left + 1 + x] = sum / 9.0f;
  }
}

__global__ void plain_blur(const float* image, float* result, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += pixel(image, height, width, y + dy, x + dx);
  result[y * width + x] = sum / 9.0f;
}

void launch(const float* image, float* result, int height, int width) {
  const dim3 block(TILE_X, TILE_Y);
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_ROWS - 1) / TILE_ROWS);
  blur<<<grid, block>>>(image, result, height, width);
}
