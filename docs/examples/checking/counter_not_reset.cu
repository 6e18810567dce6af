// Twice every element, by threads that take the next one: wrong.
__device__ int next;

__global__ void counter_not_reset(const float* in, float* out, int n) {
  for (int i = atomicAdd(&next, 1); i < n; i = atomicAdd(&next, 1)) out[i] = 2.0f * in[i];
}
