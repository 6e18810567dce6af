// The sum of two neighbours: wrong.
#include <cuda_fp16.h>

__global__ void beyond_the_bound(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half left = __float2half(i > 0 ? in[i - 1] : 0.0f);
  out[i] = __half2float(__hadd(left, __float2half(in[i])));
}
