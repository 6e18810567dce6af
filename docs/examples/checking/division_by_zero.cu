// Elements divided by their neighbour: wrong.
__global__ void division_by_zero(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 100 / (in[i] % 4);
}
