// The sum of each 256 elements: wrong.
__global__ void race_in_shared_memory(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
