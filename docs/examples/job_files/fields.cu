// What the examples of docs/job_files.md launch: a matrix times a factor, and a plain kernel that gives the right
// answers.
#define TILE_WIDTH 16
#define COLUMNS 64

__constant__ float weights[4];

__global__ void scaled(const float* in, float* out, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) out[i] = 2.0f * in[i];
}

__global__ void in_place(float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 2.0f * out[i];
}

__global__ void weighted(const float* in, float* out, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) out[i] = weights[i % 4] * in[i];
}

__global__ void sampled(cudaTextureObject_t image, float* out, int rows, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < columns) out[y * columns + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}

template <class T, int BLOCK>
__global__ void copied(const T* in, T* out, long long count) {
  const long long i = blockIdx.x * (long long)BLOCK + threadIdx.x;
  if (i < count) out[i] = in[i];
}

// Data like those of a noisy measurement: a ramp with small random errors.
void fill(float* in, int count, unsigned seed) {
  for (int i = 0; i < count; ++i) in[i] = i % 100 + (rand() % 100 + seed % 7) / 1000.0f;
}

__global__ void plain(const float* in, float* out, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) out[i] = in[i] + in[i];
}
