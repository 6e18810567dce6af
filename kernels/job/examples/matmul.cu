// A register-tiled product of float matrices whose tiles are macros: c = a b, all row major.
#include <cstdio>
#include <vector>

#ifndef block_x
#define block_x 16
#define block_y 16
#define thread_m 4
#define thread_n 4
#define tile_k 16
#define vector_width 4
#define bank_pad 4
#define unroll 4
#endif

#if vector_width == 4
typedef float4 chunk;
#elif vector_width == 2
typedef float2 chunk;
#else
typedef float chunk;
#endif

constexpr int threads = block_x * block_y;
constexpr int tile_m = block_y * thread_m;
constexpr int tile_n = block_x * thread_n;

/// Elements that are adjacent in memory, and are read and written together.
template <int Count>
struct alignas(Count * sizeof(float)) run {
  float of[Count];
};
typedef run<(thread_m < vector_width ? thread_m : vector_width)> run_of_rows;
typedef run<(thread_n < vector_width ? thread_n : vector_width)> run_of_columns;
constexpr int rows_at_once = sizeof(run_of_rows) / sizeof(float);
constexpr int columns_at_once = sizeof(run_of_columns) / sizeof(float);

/// The chunk that begins at `from`; zeros where that is outside.
__device__ __forceinline__ chunk load(const float* from, bool inside) {
  chunk zeros{};
  return inside ? *reinterpret_cast<const chunk*>(from) : zeros;
}

/// A block computes a tile of c; a thread thread_m x thread_n elements of it, in vectors that are strided by the block.
__global__ void __launch_bounds__(threads) product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ __align__(16) float as[tile_k][tile_m + bank_pad];  // transposed
  __shared__ __align__(16) float bs[tile_k][tile_n + bank_pad];
  const int self = threadIdx.y * block_x + threadIdx.x;
  const int row = blockIdx.y * tile_m;
  const int column = blockIdx.x * tile_n;
  float sums[thread_m][thread_n] = {};
  for (int step = 0; step < k; step += tile_k) {
    for (int i = self * vector_width; i < tile_m * tile_k; i += threads * vector_width) {
      const int r = i / tile_k, s = i % tile_k;
      const chunk got = load(a + static_cast<long long>(row + r) * k + step + s, row + r < m && step + s < k);
      for (int v = 0; v < vector_width; ++v) as[s + v][r] = reinterpret_cast<const float*>(&got)[v];
    }
    for (int i = self * vector_width; i < tile_k * tile_n; i += threads * vector_width) {
      const int s = i / tile_n, q = i % tile_n;
      *reinterpret_cast<chunk*>(&bs[s][q]) =
          load(b + static_cast<long long>(step + s) * n + column + q, step + s < k && column + q < n);
    }
    __syncthreads();
#pragma unroll unroll
    for (int s = 0; s < tile_k; ++s) {
      run_of_rows of_a[thread_m / rows_at_once];
      run_of_columns of_b[thread_n / columns_at_once];
#pragma unroll
      for (int i = 0; i < thread_m / rows_at_once; ++i)
        of_a[i] = *reinterpret_cast<const run_of_rows*>(&as[s][(i * block_y + threadIdx.y) * rows_at_once]);
#pragma unroll
      for (int j = 0; j < thread_n / columns_at_once; ++j)
        of_b[j] = *reinterpret_cast<const run_of_columns*>(&bs[s][(j * block_x + threadIdx.x) * columns_at_once]);
#pragma unroll
      for (int i = 0; i < thread_m; ++i)
#pragma unroll
        for (int j = 0; j < thread_n; ++j)
          sums[i][j] += of_a[i / rows_at_once].of[i % rows_at_once] * of_b[j / columns_at_once].of[j % columns_at_once];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < thread_m; ++i)
#pragma unroll
    for (int j = 0; j < thread_n; ++j) {
      const int r = row + (i / rows_at_once * block_y + threadIdx.y) * rows_at_once + i % rows_at_once;
      const int q = column + (j / columns_at_once * block_x + threadIdx.x) * columns_at_once + j % columns_at_once;
      if (r < m && q < n) c[static_cast<long long>(r) * n + q] = sums[i][j];
    }
}

/// The same, with one element per thread.
__global__ void plain(const float* a, const float* b, float* c, int m, int n, int k) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<long long>(m) * n) return;
  float sum = 0;
  for (int s = 0; s < k; ++s) sum += a[i / n * k + s] * b[static_cast<long long>(s) * n + i % n];
  c[i] = sum;
}

int main() {
  std::vector<float> host(64 * 64);
  product<<<dim3(1, 1), dim3(block_x, block_y)>>>(host.data(), host.data(), host.data(), 64, 64, 64);
  printf("done\n");
}
