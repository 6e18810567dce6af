// The sum of each 256 elements, large ones negated: wrong.
__global__ void barriers_in_branches(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    tile[threadIdx.x] = in[i];
    __syncthreads();
  } else {
    tile[threadIdx.x] = 0.0f;
    __syncthreads();
  }
  if (i < n) out[i] = tile[(threadIdx.x + 1) % 256];
}
