// The sum of every row of a matrix, one block per row. One barrier is missing.
#include <cuda_runtime.h>

template <int BLOCK>
__global__ void row_sums(const float* in, float* out, int columns) {
  __shared__ float part[BLOCK];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += BLOCK) sum += in[blockIdx.x * columns + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2)
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// The right results: the same without tricks, in double.
__global__ void plain_row_sums(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (int i = 0; i < columns; ++i) sum += in[row * columns + i];
  out[row] = static_cast<float>(sum);
}

void launch(const float* in, float* out, int rows, int columns) {
  row_sums<256><<<rows, 256>>>(in, out, columns);
}
