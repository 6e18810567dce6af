// Tests of thread groups: exchanges within tiles, and barriers of the whole grid.
#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace warpwright {
namespace {

using testing::HasSubstr;

std::vector<int> values_of(const std::vector<std::byte>& bytes) {
  std::vector<int> values(bytes.size() / sizeof(int));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// A plan that launches `entry`(in, out, arrived); each buffer has `count` elements.
Plan plan_of(const std::string& entry, std::uint32_t blocks, std::uint32_t threads, std::int64_t count,
             bool cooperative) {
  return {.buffers = {{.name = "in", .role = Role::inout, .type = ElementType::i32, .count = count},
                      {.name = "out", .role = Role::out, .type = ElementType::i32, .count = count},
                      {.name = "arrived", .role = Role::scratch, .type = ElementType::u32, .count = 1}},
          .steps = {{.what = Memset{.buffer = "arrived", .count = 1, .value = value(0U)}},
                    {.what = Launch{.entry = entry,
                                    .grid = {.x = blocks},
                                    .block = {.x = threads},
                                    .shared_bytes = 0,
                                    .arguments = {pointer_to("in"), pointer_to("out"), pointer_to("arrived")},
                                    .cooperative = cooperative}}}};
}

simulator::PlanRun run(const std::string& text, const Plan& plan, const simulator::SimulationOptions& options = {}) {
  std::vector<int> in(static_cast<std::size_t>(plan.buffers[0].count));
  std::iota(in.begin(), in.end(), 0);
  return simulator::run_plan(plan, "kernels/block/groups.cuh", {simulator::bytes_of(in)}, options, text);
}

/// Operation i of `kOperations` writes out[i * threads ...].
constexpr int kOperations = 8;
constexpr const char* kExchange = R"(
template <int Size>
__global__ void exchange(const int* in, int* out, unsigned*) {
  const auto tile = warpwright::block::tiled_partition<Size>();
  const int mine = in[threadIdx.x];
  const auto tell = [&](int operation, int got) { out[operation * blockDim.x + threadIdx.x] = got; };
  tell(0, tile.shfl(mine, 1));
  tell(1, tile.shfl_down(mine, 1));
  tell(2, tile.shfl_up(mine, 1));
  tell(3, tile.shfl_xor(mine, 1));
  tell(4, static_cast<int>(tile.ballot(mine % 3 == 0)));
  tell(5, tile.any(mine == 5) ? 1 : 0);
  tell(6, tile.all(mine < 40) ? 1 : 0);
  tell(7, tile.meta_group_rank() * 100 + tile.thread_rank());
}
)";

int expected_exchange(int size, int what, int thread) {
  const int first = thread / size * size;
  const int rank = thread - first;
  const auto within = [&](int other) { return first + (other >= 0 && other < size ? other : rank); };
  switch (what) {
    case 0:
      return first + 1 % size;
    case 1:
      return within(rank + 1);
    case 2:
      return within(rank - 1);
    case 3:
      return within(rank ^ 1);
    case 4: {
      unsigned votes = 0;
      for (int i = 0; i < size; ++i) votes |= ((first + i) % 3 == 0 ? 1U : 0U) << i;
      return static_cast<int>(votes);
    }
    case 5:
      return 5 >= first && 5 < first + size ? 1 : 0;
    case 6:
      return first + size <= 40 ? 1 : 0;
    default:
      return thread / size * 100 + rank;
  }
}

TEST(Groups, TilesOfEverySizeExchangeWithinThemselves) {
  constexpr int kThreads = 96;
  for (const int size : {2, 4, 8, 16, 32}) {
    const Plan plan = plan_of(fmt::format("exchange<{}>", size), 1, kThreads, kOperations * kThreads, false);
    const auto [execution, buffers] = run(kExchange, plan);
    ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
    const std::vector<int> out = values_of(buffers.at("out"));
    for (int i = 0; i < kOperations * kThreads; ++i)
      ASSERT_EQ(out[static_cast<std::size_t>(i)], expected_exchange(size, i / kThreads, i % kThreads))
          << "tile of " << size << ", operation " << i / kThreads << ", thread " << i % kThreads;
  }
}

TEST(Groups, ATileOperationWithAMissingThreadIsFound) {
  const auto text = R"(
__global__ void part(const int* in, int* out, unsigned*) {
  const auto tile = warpwright::block::tiled_partition<8>();
  if (tile.thread_rank() == 3) return;
  out[threadIdx.x] = tile.shfl_xor(in[threadIdx.x], 1);
}
)";
  const auto execution = run(text, plan_of("part", 1, 32, 32, false)).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::bad_warp_mask);
}

TEST(Groups, SyncOfATileOrdersOnlyItsOwnMemory) {
  const auto text = R"(
template <int Distance>
__global__ void neighbour(const int* in, int* out, unsigned*) {
  __shared__ int shared[32];
  const auto tile = warpwright::block::tiled_partition<8>();
  shared[threadIdx.x] = in[threadIdx.x];
  tile.sync();
  out[threadIdx.x] = shared[threadIdx.x ^ Distance];
}
)";
  EXPECT_TRUE(run(text, plan_of("neighbour<4>", 1, 32, 32, false)).execution.clean());
  const auto execution = run(text, plan_of("neighbour<8>", 1, 32, 32, false)).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].location.file, "test.cuh");
}

/// Each block reads what the next block wrote, three times.
constexpr const char* kRing = R"(
__global__ void ring(int* in, int* out, unsigned* arrived) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned next = (at + blockDim.x) % (gridDim.x * blockDim.x);
  for (int i = 0; i < 3; ++i) {
    out[at] = in[next];
    warpwright::block::sync_grid(arrived);
    in[at] = out[at];
    warpwright::block::sync_grid(arrived);
  }
}
)";

TEST(Groups, AGridBarrierHoldsEveryBlockBack) {
  constexpr int kBlocks = 7;
  constexpr int kThreads = 33;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    simulator::SimulationOptions options;
    options.schedule.seed = seed;
    const auto [execution, buffers] = run(kRing, plan_of("ring", kBlocks, kThreads, kBlocks * kThreads, true), options);
    ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
    const std::vector<int> moved = values_of(buffers.at("in"));
    for (int i = 0; i < kBlocks * kThreads; ++i)
      ASSERT_EQ(moved[static_cast<std::size_t>(i)], (i + 3 * kThreads) % (kBlocks * kThreads)) << "seed " << seed;
  }
}

TEST(Groups, WithoutTheGridBarrierTheSameKernelRaces) {
  std::string text = kRing;
  const std::string barrier = "warpwright::block::sync_grid(arrived);";
  text.replace(text.find(barrier), barrier.size(), "__syncthreads();");
  const auto execution = run(text, plan_of("ring", 7, 33, 7 * 33, true)).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::race);
}

TEST(Groups, AGridBarrierThatABlockSkipsHangs) {
  const auto text = R"(
__global__ void leave(int*, int* out, unsigned* arrived) {
  if (blockIdx.x == 2) return;
  warpwright::block::sync_grid(arrived);
  out[blockIdx.x] = 1;
}
)";
  const auto execution = run(text, plan_of("leave", 4, 1, 4, true)).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::hang);
}

TEST(Groups, AGridBarrierInAnOrdinaryLaunchIsFound) {
  const auto execution = run(kRing, plan_of("ring", 2, 32, 64, false)).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::illegal_launch);
  EXPECT_THAT(execution.findings[0].message, HasSubstr("not cooperative"));
}

TEST(Groups, ACooperativeGridTooLargeForTheDeviceIsRefused) {
  simulator::SimulationOptions options;
  options.device.sm_count = 3;
  options.device.max_threads_per_sm = 1024;
  EXPECT_TRUE(run(kRing, plan_of("ring", 12, 256, 12 * 256, true), options).execution.clean());
  const auto execution = run(kRing, plan_of("ring", 13, 256, 13 * 256, true), options).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::illegal_launch);
  EXPECT_THAT(execution.findings[0].message, HasSubstr("13 blocks, of which the device holds 12"));
}

}  // namespace
}  // namespace warpwright
