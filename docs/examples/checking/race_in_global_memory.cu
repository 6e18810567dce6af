// How many elements are positive: wrong.
__global__ void race_in_global_memory(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) ++*out;
}
