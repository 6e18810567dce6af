// Whether any element is positive: wrong.
__global__ void same_value_stores(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) *out = 1;
}
