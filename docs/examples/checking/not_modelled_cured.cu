// The bits of every element, reversed: cured.
__global__ void not_modelled(const unsigned int* in, unsigned int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __brev(in[i]);
}
