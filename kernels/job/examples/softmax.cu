// The softmax of every row of a matrix, one block per row. The block size is a template argument.
#include <cmath>

/// The result is the same for all threads of the block. `part` has one element per thread.
template <int BLOCK, class Join>
__device__ float joined(float value, float* part, Join join) {
  part[threadIdx.x] = value;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] = join(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  const float result = part[0];
  __syncthreads();
  return result;
}

struct larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct total {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <int BLOCK>
__global__ void softmax(const float* in, float* out, int columns) {
  extern __shared__ float part[];
  const float* from = in + static_cast<long long>(blockIdx.x) * columns;
  float most = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += BLOCK) most = fmaxf(most, from[i]);
  most = joined<BLOCK>(most, part, larger());
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += BLOCK) sum += expf(from[i] - most);
  sum = joined<BLOCK>(sum, part, total());
  for (int i = threadIdx.x; i < columns; i += BLOCK)
    out[static_cast<long long>(blockIdx.x) * columns + i] = expf(from[i] - most) / sum;
}
