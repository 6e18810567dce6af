// The sum of all elements: wrong.
__global__ void missing_fence(const float* in, float* parts, int* done, float* out, int n) {
  if (threadIdx.x > 0) return;
  float sum = 0, total = 0;
  for (int i = blockIdx.x; i < n; i += gridDim.x) sum += in[i];
  parts[blockIdx.x] = sum;
  if (atomicAdd(done, 1) < gridDim.x - 1) return;  // the last block adds up the parts
  for (int i = 0; i < gridDim.x; ++i) total += parts[i];
  *out = total;
}
