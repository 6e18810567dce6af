// The difference to the next element of the block: cured.
__global__ void out_of_shared_array(const float* in, float* out, int n) {
  __shared__ float tile[257];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[256] = blockIdx.x * 256 + 256 < n ? in[blockIdx.x * 256 + 256] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x + 1] - tile[threadIdx.x];
}
