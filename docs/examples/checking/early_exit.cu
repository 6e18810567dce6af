// Every block of 256 elements, moved by one place to the left: wrong.
__global__ void early_exit(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  if (i >= n) return;
  __syncthreads();
  out[i] = tile[(threadIdx.x + 1) % 256];
}
