// The bits of every element, reversed: wrong.
__global__ void not_modelled(const unsigned int* in, unsigned int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int turned;
  asm("brev.b32 %0, %1;" : "=r"(turned) : "r"(in[i]));
  out[i] = turned;
}
