// Elements by their index: cured.
__global__ void failed_assertion(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = (in[i] % 16 + 16) % 16;
}
