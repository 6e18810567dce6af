// The sum of four elements: wrong.
__global__ void uninitialised_local(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float last[2];
  if (i > 0) last[0] = in[i - 1];
  last[1] = in[i];
  out[i] = last[0] + last[1];
}
