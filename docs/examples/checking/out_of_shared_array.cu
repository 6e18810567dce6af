// The difference to the next element of the block: wrong.
__global__ void out_of_shared_array(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x + 1] - tile[threadIdx.x];
}
