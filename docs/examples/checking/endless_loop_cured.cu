// The sum of every other element: cured.
__global__ void endless_loop(const float* in, float* out, int n) {
  if (threadIdx.x > 0 || blockIdx.x > 0) return;
  float sum = 0;
  for (int i = 0; i < n; i += 2) sum += in[i % n];
  *out = sum;
}
