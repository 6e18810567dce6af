// Tests that correct kernels give the right result and no finding, under every schedule.
#include "kernels/runtime/simulator/simulate.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::uint64_t seeds = 60;

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

const std::string transpose_text = R"(
struct tiled_params {
  int tile_dim = 32, coarsening = 4, bank_pad = 1;
};
namespace pattern {
template <class T, tiled_params P>
__global__ void __launch_bounds__(P.tile_dim * P.tile_dim / P.coarsening)
tiled(const T* __restrict__ in, T* __restrict__ out, long long rows, long long columns) {
  __shared__ T tile[P.tile_dim][P.tile_dim + P.bank_pad];
  constexpr int step = P.tile_dim / P.coarsening;
  long long x = blockIdx.x * static_cast<long long>(P.tile_dim) + threadIdx.x;
  long long y = blockIdx.y * static_cast<long long>(P.tile_dim) + threadIdx.y;
#pragma unroll
  for (int i = 0; i < P.tile_dim; i += step) {
    if (x < columns && y + i < rows) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * columns + x];
  }
  __syncthreads();
  x = blockIdx.y * static_cast<long long>(P.tile_dim) + threadIdx.x;
  y = blockIdx.x * static_cast<long long>(P.tile_dim) + threadIdx.y;
#pragma unroll
  for (int i = 0; i < P.tile_dim; i += step) {
    if (x < rows && y + i < columns) out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
  }
}
}
)";

TEST(Simulator, transposes_any_shape_under_any_schedule) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {67, 45}, {16, 33}, {31, 100}}) {
    const std::vector<float> in = counting(static_cast<std::size_t>(rows * columns));
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      Experiment experiment{
          .text = transpose_text,
          .entry = "pattern::tiled<float, tiled_params{.tile_dim = 16, .coarsening = 4, .bank_pad = 1}>"};
      experiment.grid = {static_cast<std::uint32_t>((columns + 15) / 16), static_cast<std::uint32_t>((rows + 15) / 16)};
      experiment.block = {16, 4};
      experiment.with("in", Role::in, ElementType::f32, in);
      experiment.with("out", Role::out, ElementType::f32, std::vector<float>(in.size(), -1.0f));
      experiment.values = {value(std::int64_t{rows}), value(std::int64_t{columns})};
      const Execution execution = experiment.run(seed);
      ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
      const auto out = values_of<float>(experiment.contents[1]);
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
          ASSERT_EQ(out[static_cast<std::size_t>(c * rows + r)], in[static_cast<std::size_t>(r * columns + c)]);
        }
      }
    }
  }
}

const std::string reduce_text = R"(
template <int B>
__global__ void tree(const float* in, float* out, long long n) {
  __shared__ float part[B];
  float sum = 0;
  for (long long i = blockIdx.x * static_cast<long long>(B) + threadIdx.x; i < n; i += gridDim.x * B) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = B / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
template <int B>
__global__ void shuffle(const float* in, float* out, long long n) {
  __shared__ float part[B / 32];
  const long long i = blockIdx.x * static_cast<long long>(B) + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < B / 32 ? part[threadIdx.x] : 0.0f;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}
__global__ void last_block(const float* in, float* partial, unsigned* ticket, float* out, long long n) {
  __shared__ float part[64];
  __shared__ int last[1];
  const long long i = blockIdx.x * 64LL + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = part[0];
    __threadfence();
    last[0] = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last[0]) return;
  __threadfence();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    *out = sum;
  }
}
)";

TEST(Simulator, sums_with_a_tree_and_with_shuffles_under_any_schedule) {
  for (const std::string entry : {"tree<64>", "tree<256>", "shuffle<64>", "shuffle<256>"}) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const std::uint32_t block = entry.find("256") != std::string::npos ? 256 : 64;
      const std::vector<float> in = counting(1000);
      Experiment experiment{
          .text = reduce_text, .entry = entry, .grid = {(1000 + block - 1) / block}, .block = {block}};
      experiment.with("in", Role::in, ElementType::f32, in);
      experiment.with("out", Role::inout, ElementType::f32, std::vector<float>(1, 0.0f));
      experiment.values = {value(std::int64_t{1000})};
      const Execution execution = experiment.run(seed);
      ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
      ASSERT_EQ(values_of<float>(experiment.contents[1])[0], 500500.0f);
    }
  }
}

TEST(Simulator, finishes_a_reduction_in_the_last_block_under_any_schedule) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Experiment experiment{.text = reduce_text, .entry = "last_block", .grid = {16}, .block = {64}};
    experiment.with("in", Role::in, ElementType::f32, counting(1000));
    experiment.with("partial", Role::scratch, ElementType::f32, std::vector<float>(16));
    experiment.with("ticket", Role::inout, ElementType::u32, std::vector<unsigned>(1, 0u));
    experiment.with("out", Role::out, ElementType::f32, std::vector<float>(1, 0.0f));
    experiment.values = {value(std::int64_t{1000})};
    const Execution execution = experiment.run(seed);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
    ASSERT_EQ(values_of<float>(experiment.contents[3])[0], 500500.0f);
  }
}

const std::string look_back_text = R"(
__global__ void chained(const int* in, int* out, unsigned* ticket, volatile unsigned* flags, volatile int* sums, int n) {
  __shared__ int part[64];
  __shared__ int block[2];
  if (threadIdx.x == 0) block[0] = atomicAdd(ticket, 1);
  __syncthreads();
  const int b = block[0];
  const int i = b * 64 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int other = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
    __syncthreads();
    part[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    int before = 0;
    if (b > 0) {
      while (flags[b - 1] == 0) {}
      __threadfence();
      before = sums[b - 1];
    }
    sums[b] = before + part[63];
    __threadfence();
    flags[b] = 1;
    block[1] = before;
  }
  __syncthreads();
  if (i < n) out[i] = part[threadIdx.x] + block[1];
}
)";

TEST(Simulator, scans_in_one_pass_with_blocks_that_wait_for_one_another) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const std::vector<int> in(1000, 1);
    Experiment experiment{.text = look_back_text, .entry = "chained", .grid = {16}, .block = {64}};
    experiment.with("in", Role::in, ElementType::i32, in);
    experiment.with("out", Role::out, ElementType::i32, std::vector<int>(1000, -1));
    experiment.with("ticket", Role::inout, ElementType::u32, std::vector<unsigned>(1, 0u));
    experiment.with("flags", Role::inout, ElementType::u32, std::vector<unsigned>(16, 0u));
    experiment.with("sums", Role::scratch, ElementType::i32, std::vector<int>(16));
    experiment.values = {value(1000)};
    const Execution execution = experiment.run(seed);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
    const auto out = values_of<int>(experiment.contents[1]);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(out[static_cast<std::size_t>(i)], i + 1);
  }
}

/// The atomic operation waits for its turn; meanwhile another thread of the block uses a second array for the first
/// time.
TEST(Simulator, an_access_can_wait_while_another_thread_adds_a_shared_array) {
  const std::string text = R"(__shared__ int count[1];
if (threadIdx.x == 0) count[0] = 0;
__syncthreads();
atomicAdd(count, 1);
if (threadIdx.x % 2 == 1) {
  __shared__ int late[64];
  late[threadIdx.x] = 1;
  atomicAdd(count, late[threadIdx.x]);
}
__syncthreads();
a[threadIdx.x] = count[0];)";
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Experiment experiment = over_buffers(text, {1}, {64}, 64);
    EXPECT_EQ(summary_of(experiment.run(seed)), "") << seed;
    EXPECT_EQ(values_of<int>(experiment.contents[0]), std::vector<int>(64, 96)) << seed;
  }
}

}  // namespace
}  // namespace warpwright::simulator
