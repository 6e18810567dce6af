// Tests of CUDA's own headers for groups, barriers and pipelines in the simulator: correct uses give no finding, wrong
// uses do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// A kernel over the buffers of `over_buffers` with that body, after CUDA's headers.
Experiment plain(const std::string& body, Dim3 grid, Dim3 block, bool cooperative = false) {
  Experiment made = over_buffers(body, grid, block);
  made.text =
      "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n"
      "#include <cuda/barrier>\n#include <cuda/pipeline>\n#include <cuda/atomic>\n#include <cuda_pipeline.h>\n"
      "namespace cg = cooperative_groups;\n" +
      made.text;
  made.cooperative = cooperative;
  return made;
}

std::string without(std::string text, const std::string& what) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.erase(at, what.size());
}

/// The contents of b after a run without findings.
std::vector<int> results_of(Experiment experiment, std::uint64_t seed = 3) {
  const Execution execution = experiment.run(seed);
  EXPECT_EQ(summary_of(execution), "");
  return values_of<int>(experiment.contents[1]);
}

const std::string tiles = R"(auto tile = cg::tiled_partition<8>(cg::this_thread_block());
const int i = threadIdx.x + blockDim.x * threadIdx.y;
b[i] = cg::reduce(tile, i, cg::plus<int>());
b[64 + i] = cg::inclusive_scan(tile, i);
b[128 + i] = cg::exclusive_scan(tile, 1);
b[192 + i] = tile.shfl(i, 3) * 1000 + tile.shfl_down(i, 1);
b[256 + i] = tile.ballot(i % 3 == 0);
b[320 + i] = tile.meta_group_rank() * 100 + tile.thread_rank();
b[384 + i] = cg::reduce(tile, i % 5, cg::greater<int>()) * 10 + tile.any(i == 9);)";

TEST(CooperativeGroups, tiles_of_a_block_of_two_dimensions_reduce_scan_and_vote) {
  expect_silent(plain(tiles, {1}, {16, 4}));
  const std::vector<int> found = results_of(plain(tiles, {1}, {16, 4}));
  for (int i = 0; i < 64; ++i) {
    const int first = i / 8 * 8;
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(found[at], 8 * first + 28);
    EXPECT_EQ(found[64 + at], (i - first + 1) * first + (i - first) * (i - first + 1) / 2);
    EXPECT_EQ(found[128 + at], i - first);
    EXPECT_EQ(found[192 + at], (first + 3) * 1000 + (i % 8 == 7 ? i : i + 1));
    int votes = 0;
    for (int k = 0; k < 8; ++k) votes |= ((first + k) % 3 == 0 ? 1 : 0) << k;
    EXPECT_EQ(found[256 + at], votes);
    EXPECT_EQ(found[320 + at], first / 8 * 100 + i - first);
    EXPECT_EQ(found[384 + at], 40 + (first == 8 ? 1 : 0));
  }
}

TEST(CooperativeGroups, a_lane_that_leaves_before_its_tile_reduces_is_found_where_the_others_wait) {
  const Finding finding = expect_finding(plain(R"(auto warp = cg::tiled_partition<32>(cg::this_thread_block());
if (threadIdx.x >= 20) return;
b[threadIdx.x] = cg::reduce(warp, a[threadIdx.x], cg::plus<int>());  // HERE)",
                                               {1}, {32}),
                                         FindingKind::bad_warp_mask);
  EXPECT_THAT(finding.message, HasSubstr("left the kernel"));
}

TEST(CooperativeGroups, a_block_that_waits_in_one_branch_diverges_at_the_line_of_its_sync) {
  expect_finding(plain(R"(auto block = cg::this_thread_block();
if (block.thread_rank() < 16) {
  block.sync();  // HERE
})",
                       {1}, {32}),
                 FindingKind::barrier_divergence);
}

const std::string warp_sync = R"(__shared__ int held[32];
auto warp = cg::tiled_partition<32>(cg::this_thread_block());
held[threadIdx.x] = a[threadIdx.x];
warp.sync();
b[threadIdx.x] = held[31 - threadIdx.x];)";

TEST(CooperativeGroups, tiles_order_memory_when_they_wait_and_not_otherwise) {
  expect_silent(plain(warp_sync, {1}, {32}));
  EXPECT_EQ(races_of(plain(without(warp_sync, "warp.sync();"), {1}, {32})), (std::set{std::pair(12, 14)}));
}

const std::string whole_grid = R"(auto grid = cg::this_grid();
for (int turn = 0; turn < 3; ++turn) {
  s[grid.thread_rank()] = turn + a[grid.thread_rank()];
  grid.sync();
  b[grid.thread_rank()] = s[grid.size() - 1 - grid.thread_rank()];
  grid.sync(); // SECOND
})";

TEST(CooperativeGroups, a_grid_that_waits_sees_the_stores_of_all_blocks) {
  expect_silent(plain(whole_grid, {5}, {40}, true));
  EXPECT_EQ(results_of(plain(whole_grid, {5}, {40}, true))[17], 3);
  races_of(plain(without(whole_grid, "grid.sync(); // SECOND"), {5}, {40}, true));
  EXPECT_THAT(summary_of(plain(whole_grid, {5}, {40}).run(1)), HasSubstr("illegal launch"));
}

TEST(CooperativeGroups, a_grid_barrier_that_one_block_has_left_hangs) {
  const Finding finding = expect_finding(plain(R"(if (blockIdx.x == 2) return;
cg::this_grid().sync();  // HERE)",
                                               {4}, {32}, true),
                                         FindingKind::hang);
  EXPECT_THAT(finding.message, HasSubstr("96 wait in the barrier"));
}

TEST(CooperativeGroups, lanes_of_a_partition_have_their_own_ranks) {
  const std::string text = R"(auto warp = cg::tiled_partition<32>(cg::this_thread_block());
auto odd = cg::binary_partition(warp, threadIdx.x % 2 == 1);
b[threadIdx.x] = odd.thread_rank() * 100 + odd.size();
auto thirds = cg::labeled_partition(warp, threadIdx.x % 3);
b[32 + threadIdx.x] = thirds.shfl(threadIdx.x, 1) * 100 + cg::reduce(thirds, 1, cg::plus<int>());
auto quarter = cg::tiled_partition(warp, 8);
b[64 + threadIdx.x] = quarter.thread_rank() * 100 + quarter.meta_group_rank();)";
  const std::vector<int> found = results_of(plain(text, {1}, {32}));
  for (int i = 0; i < 32; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(found[at], i / 2 * 100 + 16);
    EXPECT_EQ(found[32 + at], (i % 3 + 3) * 100 + (i % 3 == 2 ? 10 : 11));
    EXPECT_EQ(found[64 + at], i % 8 * 100 + i / 8);
  }
}

TEST(CooperativeGroups, coalesced_threads_may_add_for_all_of_them_and_must_not_rely_on_more) {
  expect_silent(plain(R"(if (threadIdx.x % 3 != 0) {
  auto active = cg::coalesced_threads();
  unsigned first;
  if (active.thread_rank() == 0) first = atomicAdd(flags, active.size());
  s[active.shfl(first, 0) + active.thread_rank()] = threadIdx.x;
})",
                      {2}, {64}));
  const std::vector<int> alone = results_of(plain("b[threadIdx.x] = cg::coalesced_threads().size();", {1}, {32}));
  EXPECT_EQ(alone[7], 1);
}

TEST(CooperativeGroups, a_cluster_of_a_launch_without_clusters_is_one_block) {
  const std::string text =
      "const auto cluster = cg::this_cluster();\n__shared__ int tile[32];\ntile[threadIdx.x] = threadIdx.x;\n"
      "cluster.sync();\nb[threadIdx.x] = cluster.map_shared_rank(tile, 0)[31 - threadIdx.x] + cluster.num_blocks();";
  expect_silent(plain(text, {1}, {32}));
  EXPECT_EQ(results_of(plain(text, {1}, {32}))[3], 29);
}

const std::string copied = R"(__shared__ int tile[128];
__shared__ cuda::barrier<cuda::thread_scope_block> ready;
auto block = cg::this_thread_block();
if (block.thread_rank() == 0) init(&ready, block.size());
block.sync();
cuda::memcpy_async(block, tile, a, sizeof(int) * 128, ready);
ready.arrive_and_wait();
b[threadIdx.x] = tile[127 - threadIdx.x];)";

TEST(CudaBarrier, completes_with_its_copies) {
  expect_silent(plain(copied, {1}, {64}));
  EXPECT_EQ(results_of(plain(copied, {1}, {64}))[5], 1);
  EXPECT_THAT(summary_of(plain(without(copied, "ready.arrive_and_wait();"), {1}, {64}).run(1)),
              HasSubstr("unfinished copy at"));
  EXPECT_THAT(summary_of(plain(without(copied, "block.sync();"), {1}, {64}).run(1)), HasSubstr("uninitialised read"));
}

TEST(CudaBarrier, orders_accesses_before_an_arrival_and_hangs_if_one_is_missing) {
  const std::string split = R"(__shared__ int held[32];
__shared__ cuda::barrier<cuda::thread_scope_block> all;
if (threadIdx.x == 0) init(&all, blockDim.x);
__syncthreads();
held[threadIdx.x] = a[threadIdx.x];
auto token = all.arrive();
b[threadIdx.x] = 0;
all.wait(std::move(token));
b[threadIdx.x] = held[31 - threadIdx.x];)";
  expect_silent(plain(split, {1}, {32}));
  races_of(plain(without(split, "all.wait(std::move(token));"), {1}, {32}));
  EXPECT_THAT(
      summary_of(plain("if (threadIdx.x == 7) return;\n" + without(split, "__syncthreads();"), {1}, {32}).run(4)),
      testing::AnyOf(HasSubstr("hang"), HasSubstr("uninitialised")));
}

const std::string staged = R"(__shared__ int tile[2][64];
__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
auto block = cg::this_thread_block();
auto pipe = cuda::make_pipeline(block, &state);
for (int filled = 0, used = 0; used < 6; ++used) {
  for (; filled < 6 && filled < used + 2; ++filled) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile[filled % 2], a + 64 * filled, sizeof(int) * 64, pipe);
    pipe.producer_commit();
  }
  pipe.consumer_wait();
  b[64 * used + threadIdx.x] = tile[used % 2][63 - threadIdx.x];
  pipe.consumer_release();
})";

TEST(CudaPipeline, fills_one_stage_while_another_is_used) {
  expect_silent(plain(staged, {1}, {64}));
  EXPECT_EQ(results_of(plain(staged, {1}, {64}))[300], 1);
  EXPECT_THAT(summary_of(plain(without(staged, "pipe.consumer_wait();"), {1}, {64}).run(1)),
              HasSubstr("unfinished copy at"));
  EXPECT_NE(summary_of(plain(without(staged, "pipe.producer_acquire();"), {1}, {64}).run(1)), "");
}

TEST(CudaPipeline, of_one_thread_equals_its_groups_of_copies) {
  const std::string own = R"(__shared__ int tile[2][32];
auto pipe = cuda::make_pipeline();
for (int k = 0; k < 2; ++k) {
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[k][threadIdx.x], a + 32 * k + threadIdx.x, sizeof(int), pipe);
  pipe.producer_commit();
}
for (int k = 0; k < 2; ++k) {
  pipe.consumer_wait();
  b[32 * k + threadIdx.x] = tile[k][threadIdx.x];
  pipe.consumer_release();
})";
  expect_silent(plain(own, {1}, {32}));
  EXPECT_THAT(summary_of(plain(without(own, "pipe.consumer_wait();"), {1}, {32}).run(1)), HasSubstr("unfinished copy"));
  const std::string primitives = R"(__shared__ int tile[32];
__pipeline_memcpy_async(tile + threadIdx.x, a + threadIdx.x, 4);
__pipeline_commit();
__pipeline_wait_prior(0);
b[threadIdx.x] = tile[threadIdx.x];)";
  expect_silent(plain(primitives, {1}, {32}));
  EXPECT_THAT(summary_of(plain(without(primitives, "__pipeline_wait_prior(0);"), {1}, {32}).run(1)),
              HasSubstr("unfinished copy"));
}

TEST(CudaPipeline, copies_of_a_group_are_complete_after_its_wait) {
  const std::string text = R"(__shared__ int tile[100];
auto block = cg::this_thread_block();
cg::memcpy_async(block, tile, a, sizeof(int) * 100);
cg::wait(block);
b[threadIdx.x] = tile[99 - threadIdx.x];)";
  expect_silent(plain(text, {1}, {64}));
  EXPECT_THAT(summary_of(plain(without(text, "cg::wait(block);"), {1}, {64}).run(1)), HasSubstr("unfinished copy"));
}

const std::string message = R"(cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(flags[0]);
if (threadIdx.x != 0) return;
if (blockIdx.x == 0) {
  s[0] = a[0];
  flag.store(1, cuda::memory_order_release);
} else {
  while (flag.load(cuda::memory_order_acquire) == 0) {
  }
  b[0] = s[0];
})";

TEST(CudaAtomic, passes_on_accesses_before_a_release_and_none_without) {
  expect_silent(plain(message, {2}, {32}, true));
  std::string relaxed = message;
  relaxed.replace(relaxed.find("memory_order_release"), 20, "memory_order_relaxed");
  races_of(plain(relaxed, {2}, {32}, true));
  EXPECT_EQ(results_of(plain(R"(cuda::atomic_ref<int, cuda::thread_scope_device> sum(a[0]);
sum.fetch_add(static_cast<int>(threadIdx.x));
__syncthreads();
if (threadIdx.x == 0) b[0] = sum.load();)",
                             {1}, {32}))[0],
            1 + 31 * 16);
}

TEST(CooperativeGroups, free_functions_synchronise_too) {
  const std::string right =
      "__shared__ int held[64];\nheld[threadIdx.x] = threadIdx.x;\nauto block = cg::this_thread_block();\n"
      "cg::synchronize(block);\nb[threadIdx.x] = held[63 - threadIdx.x];";
  expect_silent(plain(right, {1}, {64}));
  EXPECT_NE(summary_of(plain(without(right, "cg::synchronize(block);\n"), {1}, {64}).run(1)), "");
}

TEST(CooperativeGroups, dimensions_of_a_cluster_may_stand_at_the_kernel) {
  Experiment experiment = plain("b[blockIdx.x] = 1;", {2}, {1});
  const std::string word = "__global__ void ";
  experiment.text.insert(experiment.text.find(word) + word.size(), "__cluster_dims__(2, 1, 1) ");
  expect_silent(experiment);
}

}  // namespace
}  // namespace warpwright::simulator
