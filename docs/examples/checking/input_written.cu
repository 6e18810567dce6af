// Twice every element: wrong.
__global__ void input_written(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  in[i] *= 2.0f;
  out[i] = in[i];
}
