// Twice every element: cured.
__global__ void signed_overflow(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  if (row >= rows || col >= cols) return;
  const size_t place = size_t(row) * cols + col;
  out[place] = 2.0f * in[place];
}
