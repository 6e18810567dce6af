// The sign of the difference to the next element: wrong.
__global__ void nan(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float more = in[(i + 1) % n] - in[i];
  out[i] = more / fabsf(more);
}
