// Each element becomes that of the next thread of its block: cured.
__global__ void barriers_in_branches(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[(threadIdx.x + 1) % 256];
}
