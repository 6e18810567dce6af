// Elements divided by their neighbour: cured.
__global__ void division_by_zero(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] % 4 == 0 ? 0 : 100 / (in[i] % 4);
}
