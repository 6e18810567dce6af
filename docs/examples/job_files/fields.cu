// What the examples of docs/job_files.md launch: a matrix times a factor, and a plain kernel that gives the right
// answers.
#include <cuda.h>

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

// Each block copies a box of 32 x 8 elements to shared memory (TMA, sm_90), with zeros outside of the matrix.
__global__ void boxes(const __grid_constant__ CUtensorMap map, float* out, int rows, int columns) {
  alignas(128) __shared__ float box[8][32];
  __shared__ unsigned long long barrier;
  const unsigned to = __cvta_generic_to_shared(box), at = __cvta_generic_to_shared(&barrier);
  const int x = 32 * blockIdx.x, y = 8 * blockIdx.y;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(8 * 32 * 4) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(to),
        "l"(&map), "r"(x), "r"(y), "r"(at)
        : "memory");
  }
  __syncthreads();
  asm volatile(
      "{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra "
      "WAIT;\nDONE:\n}" ::"r"(at),
      "r"(0)
      : "memory");
  for (int i = threadIdx.x; i < 8 * 32; i += blockDim.x)
    if (y + i / 32 < rows && x + i % 32 < columns)
      out[(y + i / 32) * columns + x + i % 32] = 2.0f * box[i / 32][i % 32];
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
