// Twice every element; the blocks wait for each other: wrong.
__global__ void blocks_that_wait(const float* in, float* out, int* arrived, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*const_cast<volatile int*>(arrived) < gridDim.x) {
    }
  }
  __syncthreads();
  if (i < n) out[i] = 2.0f * in[i];
}
