// Twice every element, four at a time: wrong.
__global__ void misaligned(const float* in, float* out, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float4 four = *reinterpret_cast<const float4*>(in + i + 1);
  out[i] = 0.0f;
  out[i + 1] = four.x, out[i + 2] = four.y, out[i + 3] = four.z;
}
