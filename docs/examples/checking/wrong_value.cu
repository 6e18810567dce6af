// The mean of an element and its two neighbours: wrong.
__global__ void wrong_value(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = in[i > 0 ? i - 1 : 0], right = in[i < n - 1 ? i + 1 : 0];
  out[i] = left + in[i] + right;
}
