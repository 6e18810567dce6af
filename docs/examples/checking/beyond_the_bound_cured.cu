// The sum of two neighbours: cured.
__global__ void beyond_the_bound(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? in[i - 1] : 0.0f;
  out[i] = left + in[i];
}
