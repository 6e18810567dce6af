// Every block of 256 elements, moved by one place to the left: cured.
__global__ void early_exit(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i >= n) return;
  out[i] = tile[(threadIdx.x + 1) % 256];
}
