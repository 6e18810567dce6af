// The larger one of two neighbours of a block of 256: cured.
__global__ void discarded_read(const float* in, float* out, int n) {
  __shared__ float tile[257];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  const float next = tile[threadIdx.x == 255 ? 255 : threadIdx.x + 1];
  if (i < n) out[i] = threadIdx.x == 255 || i == n - 1 ? tile[threadIdx.x] : fmaxf(tile[threadIdx.x], next);
}
