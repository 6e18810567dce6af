// Elements, none above one and none below minus one: cured.
__global__ void broken_law(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 1.0f ? 1.0f : in[i] < -1.0f ? -1.0f : in[i];
}
