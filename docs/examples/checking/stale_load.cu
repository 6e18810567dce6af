// The sum of all elements: wrong.
__global__ void stale_load(const float* in, volatile float* parts, int* done, float* out, int n) {
  const int first = 32 * blockIdx.x;
  if (threadIdx.x > 0) return;
  float sum = 0;
  for (int i = first; i < n && i < first + 32; ++i) sum += in[i];
  parts[blockIdx.x] = sum;
  if (atomicAdd(done, 1) < gridDim.x - 1) return;  // the last block adds up the parts
  float total = 0;
  for (int i = 0; i < gridDim.x; ++i) total += parts[i];
  *out = total;
}
