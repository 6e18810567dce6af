// Twice every element, by threads that take the next one: cured.
__device__ int next;
__device__ unsigned int ended;

__global__ void counter_not_reset(const float* in, float* out, int n) {
  for (int i = atomicAdd(&next, 1); i < n; i = atomicAdd(&next, 1)) out[i] = 2.0f * in[i];
  const unsigned int threads = gridDim.x * blockDim.x;
  if (atomicInc(&ended, threads - 1) == threads - 1) atomicExch(&next, 0);
}
