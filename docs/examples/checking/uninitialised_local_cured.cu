// The sum of four elements: cured.
__global__ void uninitialised_local(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float last[2];
  last[0] = i > 0 ? in[i - 1] : 0.0f;
  last[1] = in[i];
  out[i] = last[0] + last[1];
}
