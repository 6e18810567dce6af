// Twice every element: cured.
__global__ void input_written(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float twice = 2.0f * in[i];
  out[i] = twice;
}
