// Twice every element, by way of shared memory: wrong.
__global__ void unlaunchable(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  __shared__ float more[8192];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  more[threadIdx.x] = tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  if (i < n) out[i] = more[threadIdx.x] + tile[threadIdx.x];
}
