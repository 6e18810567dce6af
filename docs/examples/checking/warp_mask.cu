// The sum of each 32 elements: wrong.
__global__ void warp_mask(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = in[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (i % 32 == 0) out[i / 32] = sum;
  }
}
