// Twice each element: wrong.
__device__ float doubled(float x, int depth) {
  return depth == 0 ? 2.0f * x : doubled(x, depth + 1);
}
__global__ void endless_recursion(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = doubled(in[i], 1);
}
