// The sign of the difference to the next element: cured.
__global__ void nan(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float more = in[(i + 1) % n] - in[i];
  out[i] = more == 0.0f ? 0.0f : more / fabsf(more);
}
