// Tests of sectors and bank conflicts: known tables, reproduced by real kernels, and unit tests of the counters.
#include "kernels/runtime/simulator/trace/access_trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

Execution traced(Experiment& experiment, std::uint64_t seed = 0) {
  SimulationOptions options;
  options.count_accesses = true;
  options.schedule.seed = seed;
  return experiment.run(options);
}

/// Wavefronts of one warp that reads a T x T tile by columns, compiled and simulated.
std::uint64_t wavefronts_by_columns(const std::string& type, ElementType element, int tile_dim, int pad,
                                    std::uint64_t seed) {
  Experiment experiment{.text = R"(
template <class T, int TileDim, int Pad>
__global__ void read_by_columns(T* out) {
  __shared__ T tile[TileDim][TileDim + Pad];
  for (int i = threadIdx.x; i < TileDim * TileDim; i += 32) tile[i / TileDim][i % TileDim] = T(i);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % TileDim][threadIdx.x / TileDim];
}
)",
                        .entry = fmt::format("read_by_columns<{}, {}, {}>", type, tile_dim, pad)};
  experiment.with("out", Role::out, element, std::vector<std::byte>());
  experiment.buffers[0].count = 32;
  experiment.contents[0].resize(32 * size_of(element));
  const Execution execution = traced(experiment, seed);
  EXPECT_EQ(summary_of(execution), "");
  EXPECT_EQ(execution.access.shared_load_requests, 1u);
  EXPECT_EQ(execution.access.barriers, 1u);
  return execution.access.shared_load_wavefronts;
}

struct GoldenConflict {
  int tile_dim, pad;
  std::uint64_t four_bytes, eight_bytes;
};

TEST(AccessTrace, reading_a_tile_by_columns_takes_the_known_number_of_transactions) {
  for (const auto& [tile_dim, pad, four_bytes, eight_bytes] :
       {GoldenConflict{32, 0, 32, 32}, GoldenConflict{32, 1, 1, 2}, GoldenConflict{32, 2, 2, 4},
        GoldenConflict{16, 0, 8, 32}, GoldenConflict{16, 1, 2, 2}, GoldenConflict{16, 2, 1, 4},
        GoldenConflict{8, 0, 2, 8}, GoldenConflict{8, 2, 2, 2}, GoldenConflict{8, 4, 1, 4}}) {
    for (const std::uint64_t seed : {0u, 1u, 2u, 3u}) {
      EXPECT_EQ(wavefronts_by_columns("float", ElementType::f32, tile_dim, pad, seed), four_bytes)
          << tile_dim << " pad " << pad;
      EXPECT_EQ(wavefronts_by_columns("double", ElementType::f64, tile_dim, pad, seed), eight_bytes)
          << tile_dim << " pad " << pad;
    }
  }
}

struct GoldenSectors {
  const char* index;
  std::uint64_t sectors;
  std::uint64_t bytes;
};

TEST(AccessTrace, a_warp_that_reads_floats_requests_known_sectors_and_bytes) {
  for (const auto& [index, sectors, bytes] :
       {GoldenSectors{"threadIdx.x", 4, 128}, GoldenSectors{"(threadIdx.x * 5) % 32", 4, 128},
        GoldenSectors{"threadIdx.x + 1", 5, 128}, GoldenSectors{"threadIdx.x * blockDim.x", 32, 128},
        GoldenSectors{"0", 1, 4}}) {
    Experiment experiment{.text = fmt::format("__device__ float sink(float);\n"
                                              "__global__ void kernel(const float* in) {{\n"
                                              "  volatile float x = in[{}];\n}}\n",
                                              index),
                          .entry = "kernel"};
    experiment.with("in", Role::in, ElementType::f32, std::vector<float>(1024, 1.0f));
    const Execution execution = traced(experiment);
    ASSERT_EQ(summary_of(execution), "");
    EXPECT_EQ(execution.access.global_load_requests, 1u);
    EXPECT_EQ(execution.access.global_load_sectors, sectors) << index;
    EXPECT_EQ(execution.access.global_load_bytes, bytes) << index;
  }
}

TEST(AccessTrace, the_schedule_does_not_change_the_counts) {
  Experiment experiment{.text = R"(
__global__ void kernel(const float* in, float* out, int n) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(out, part[threadIdx.x] + part[threadIdx.x + 64]);
}
)",
                        .entry = "kernel",
                        .grid = {3},
                        .block = {128}};
  experiment.with("in", Role::in, ElementType::f32, std::vector<float>(1000, 1.0f));
  experiment.with("out", Role::inout, ElementType::f32, std::vector<float>(1, 0.0f));
  experiment.values = {value(1000)};
  const AccessCounts expected = traced(experiment).access;
  EXPECT_EQ(expected.global_load_requests, 32u);
  EXPECT_EQ(expected.global_load_sectors, 125u);
  EXPECT_EQ(expected.global_load_bytes, 4000u);
  EXPECT_EQ(expected.global_atomics, 3u * 64);
  EXPECT_EQ(expected.barriers, 3u);
  EXPECT_EQ(expected.shared_store_requests, 12u);
  EXPECT_EQ(expected.shared_load_requests, 12u);
  EXPECT_EQ(expected.shared_least_wavefronts, 24u);
  for (std::uint64_t seed = 1; seed < 30; ++seed) EXPECT_EQ(traced(experiment, seed).access, expected) << seed;
}

TEST(AccessTrace, counts_are_given_by_line) {
  const std::string text = R"(
__global__ void kernel(const float* in, float* out) {
  const float x = in[threadIdx.x * 2];  // LOAD
  out[threadIdx.x] = x;                 // STORE
}
)";
  Experiment experiment{.text = text, .entry = "kernel"};
  experiment.with("in", Role::in, ElementType::f32, std::vector<float>(64, 1.0f));
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(32, 1.0f));
  const Execution execution = traced(experiment);
  ASSERT_EQ(execution.lines.size(), 2u);
  EXPECT_EQ(execution.lines[0].file, "kernel.cuh");
  EXPECT_EQ(execution.lines[0].line, line_of(text, "LOAD"));
  EXPECT_EQ(execution.lines[0].counts.global_load_sectors, 8u);
  EXPECT_EQ(execution.lines[1].line, line_of(text, "STORE"));
  EXPECT_EQ(execution.lines[1].counts.global_store_sectors, 4u);
}

TEST(AccessTrace, atomics_are_given_by_buffer_and_for_the_busiest_line) {
  const std::string text = R"(
__global__ void kernel(unsigned* counters, unsigned* spread) {
  __shared__ unsigned own;
  if (threadIdx.x == 0) own = 0;
  __syncthreads();
  atomicAdd(&own, 1u);
  atomicAdd(&counters[threadIdx.x % 2 * 32], 1u);
  atomicAdd(&spread[threadIdx.x * 32], 1u);
  if (threadIdx.x == 0) atomicAdd(&spread[1], 1u);
}
)";
  Experiment experiment{.text = text, .entry = "kernel", .grid = {3}, .block = {64}};
  experiment.with("counters", Role::inout, ElementType::u32, std::vector<unsigned>(64));
  experiment.with("spread", Role::inout, ElementType::u32, std::vector<unsigned>(64 * 32));
  const Execution execution = traced(experiment);
  EXPECT_EQ(summary_of(execution), "");
  ASSERT_EQ(execution.launch_atomics.size(), 1u);
  const std::vector<AtomicCounts> expected{{.buffer = 0, .updates = 3 * 64, .busiest_line = 3 * 32},
                                           {.buffer = 1, .updates = 3 * 65, .busiest_line = 3 * 2}};
  EXPECT_EQ(execution.launch_atomics[0], expected);
  EXPECT_EQ(execution.access.global_atomics, 3u * 64 + 3 * 65);
}

TEST(AccessTrace, atomics_on_shared_memory_take_turns_where_lanes_update_one_bank) {
  // Two warps each: all lanes on one word, each lane on a bank of its own, pairs of lanes on different words of a bank.
  const std::string text = R"(
__global__ void kernel(unsigned* out) {
  __shared__ unsigned bins[128];
  bins[threadIdx.x] = bins[threadIdx.x + 64] = 0;
  __syncthreads();
  atomicAdd(&bins[3], 1u);
  atomicAdd(&bins[threadIdx.x], 1u);
  atomicAdd(&bins[threadIdx.x % 32 / 2 + threadIdx.x % 2 * 64], 1u);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}
)";
  Experiment experiment{.text = text, .entry = "kernel", .block = {64}};
  experiment.with("out", Role::out, ElementType::u32, std::vector<unsigned>(64));
  const Execution execution = traced(experiment);
  EXPECT_EQ(summary_of(execution), "");
  EXPECT_EQ(execution.access.shared_atomics, 3u * 64);
  EXPECT_EQ(execution.access.shared_atomic_requests, 3u * 2);
  EXPECT_EQ(execution.access.shared_atomic_wavefronts, 2u * (32 + 1 + 2));
  EXPECT_EQ(execution.access.shared_load_requests, 2u);
}

TEST(AccessTrace, exchanges_between_lanes_are_counted_by_kind) {
  const std::string text = R"(
__global__ void kernel(unsigned* out) {
  const unsigned all = 0xffffffffu;
  unsigned sum = __shfl_xor_sync(all, threadIdx.x, 1) + __shfl_down_sync(all, threadIdx.x, 2);
  sum += __ballot_sync(all, threadIdx.x % 2) + __any_sync(all, threadIdx.x == 0) + __all_sync(all, threadIdx.x < 9);
  sum += __reduce_add_sync(all, threadIdx.x);
  sum += __match_any_sync(all, threadIdx.x / 8);
  __syncwarp();
  out[threadIdx.x] = sum;
}
)";
  Experiment experiment{.text = text, .entry = "kernel", .block = {64}};
  experiment.with("out", Role::out, ElementType::u32, std::vector<unsigned>(64));
  const Execution execution = traced(experiment);
  EXPECT_EQ(summary_of(execution), "");
  EXPECT_EQ(execution.access.shuffles, 2u * 2);
  EXPECT_EQ(execution.access.votes, 2u * 3);
  EXPECT_EQ(execution.access.reductions, 2u);
  EXPECT_EQ(execution.access.matched_values, 2u * 4) << "each warp has four distinct values";
  EXPECT_EQ(execution.access.warp_operations, 2u * 8);
}

Request request_of(unsigned bytes, std::uint64_t stride, unsigned lanes = 32) {
  Request request;
  request.bytes = static_cast<std::uint8_t>(bytes);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    request.addresses[lane] = lane * stride;
    request.lanes |= 1u << lane;
  }
  return request;
}

TEST(AccessTrace, wide_accesses_go_by_halves_and_quarters_of_a_warp) {
  EXPECT_EQ(wavefronts_of(request_of(4, 4)), 1u);
  EXPECT_EQ(wavefronts_of(request_of(8, 8)), 2u);
  EXPECT_EQ(wavefronts_of(request_of(16, 16)), 4u);
  EXPECT_EQ(wavefronts_of(request_of(16, 16, 8)), 1u);
  EXPECT_EQ(least_wavefronts_of(request_of(16, 16, 9)), 2u);
  EXPECT_EQ(wavefronts_of(request_of(1, 1)), 1u);
  EXPECT_EQ(wavefronts_of(request_of(4, 0)), 1u);
  EXPECT_EQ(wavefronts_of(request_of(4, 8)), 2u);
}

TEST(AccessTrace, distinct_sectors_and_bytes_are_counted) {
  EXPECT_EQ(sectors_of(request_of(16, 16)), 16u);
  EXPECT_EQ(sectors_of(request_of(1, 1)), 1u);
  EXPECT_EQ(distinct_bytes_of(request_of(4, 4)), 128u);
  EXPECT_EQ(distinct_bytes_of(request_of(4, 0)), 4u);
  EXPECT_EQ(distinct_bytes_of(request_of(8, 8, 3)), 24u);
}

}  // namespace
}  // namespace warpwright::simulator
