// Tests of clusters of blocks: their barrier, shared memory of other blocks, and what is a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// Four clusters of two blocks of 32 threads, over int buffers; t is the number of the thread.
Experiment kernel_of(const std::string& body) {
  Experiment experiment = over_buffers("__shared__ int tile[32];\nconst int t = threadIdx.x;\n" + body, {8}, {32});
  experiment.text =
      "#include \"kernels/runtime/clusters.cuh\"\n#include <cooperative_groups.h>\nusing namespace warpwright;\n"
      "namespace cg = cooperative_groups;\n" +
      experiment.text;
  experiment.cluster = {2, 1, 1};
  experiment.capability = 90;
  return experiment;
}

const std::string exchange = R"(tile[t] = 100 * blockIdx.x + t;
cluster_sync();  // FIRST
const int* there = in_block_of_cluster(tile, cluster_rank() ^ 1);
b[blockIdx.x * 32 + t] = there[31 - t];  // LOAD
cluster_sync();  // LAST
)";

void expect_exchange(const std::string& body) {
  expect_silent(kernel_of(body));
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Experiment experiment = kernel_of(body);
    const Execution execution = experiment.run(seed);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
    const auto got = values_of<int>(experiment.contents[1]);
    for (int i = 0; i < 256; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 100 * (i / 32 ^ 1) + 31 - i % 32) << i;
  }
}

TEST(Clusters, share_their_shared_memory) {
  expect_exchange(exchange);
  expect_exchange(R"(cg::cluster_group cluster = cg::this_cluster();
tile[t] = 100 * blockIdx.x + t;
cluster.sync();
b[blockIdx.x * 32 + t] = *cluster.map_shared_rank(tile + 31 - t, cluster.block_rank() ^ 1);
cluster.sync();)");
  // The block stores to the other one's memory.
  expect_exchange(R"(cluster_sync();
in_block_of_cluster(tile, cluster_rank() ^ 1)[t] = 100 * blockIdx.x + t;
cluster_arrive();
cluster_wait();
b[blockIdx.x * 32 + t] = tile[31 - t];)");
  expect_exchange(R"(unsigned rank, there;
asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
tile[t] = 100 * blockIdx.x + t;
asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n" ::: "memory");
const unsigned here = static_cast<unsigned>(__cvta_generic_to_shared(tile + 31 - t));
asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank ^ 1));
int value;
asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there) : "memory");
b[blockIdx.x * 32 + t] = value;
asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;\n" ::: "memory");)");
}

const std::string set_up = R"(alignas(128) __shared__ int stage[64];
__shared__ phase_barrier full;
if (t == 0) {
  phase_init(&full, 1);
  fence_async();
  phase_arrive_expect(&full, 256);
}
cluster_sync();  // READY
)";
const std::string use = R"(phase_wait(&full, 0);
b[blockIdx.x * 32 + t] = stage[t] + stage[63 - t];
cluster_sync();  // LAST
)";

/// Expects that each block has a stage of 64 numbers: a[k * 64] to a[k * 64 + 63], with k the number of its cluster.
void expect_stages(const std::string& body) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Experiment experiment = kernel_of(body);
    std::vector<int> in = values_of<int>(experiment.contents[0]);
    for (int i = 0; i < 256; ++i) in[static_cast<std::size_t>(i)] = i * i;
    experiment.contents[0] = bytes_of(in);
    const Execution execution = experiment.run(seed);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0)) << body;
    const auto got = values_of<int>(experiment.contents[1]);
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t first = i / 64 * 64;
      EXPECT_EQ(got[i], in[first + i % 32] + in[first + 63 - i % 32]) << i;
    }
  }
}

TEST(Clusters, get_copies_for_several_blocks) {
  // Each block copies one half for both.
  const std::string copy =
      "if (t == 0) bulk_copy_multicast(stage + 32 * cluster_rank(), a + blockIdx.x * 32, 128, &full, 3);  // COPY\n";
  expect_stages(set_up + copy + use);
  expect_stages(set_up + R"(if (t == 0) asm volatile(
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
    ::"r"((unsigned)__cvta_generic_to_shared(stage + 32 * cluster_rank())), "l"(a + blockIdx.x * 32), "r"(128),
      "r"((unsigned)__cvta_generic_to_shared(&full)), "h"((unsigned short)3) : "memory");
)" + use);
  const auto found = [&](const std::string& body) {
    std::string all;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      std::string one;
      for (const Finding& finding : kernel_of(body).run(seed).findings) one += describe(finding) + '\n';
      EXPECT_NE(one, "") << body;
      all += one;
    }
    return all;
  };
  EXPECT_THAT(found(set_up + copy + with(use, "phase_wait(&full, 0);", "")),
              HasSubstr("while an asynchronous copy writes it: it is still under way, no wait covers it"));
  EXPECT_THAT(found(set_up + with(copy, "&full, 3", "&full, 7") + use),
              HasSubstr("block 2 of a cluster that has 2 blocks"));
  EXPECT_THAT(found(set_up + with(copy, "&full, 3", "&full, 1") + use), HasSubstr("hang"));
  EXPECT_THAT(found(with(set_up, "cluster_sync();  // READY", "__syncthreads();") + copy + use),
              HasSubstr("the block may not have started"));
}

TEST(Clusters, get_copies_and_stores_from_shared_memory_of_another_block) {
  const std::string exchanged = with(use, "stage[t] + stage[63 - t]", "stage[t] - stage[63 - t]");
  const auto expect = [&](const std::string& body) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      Experiment experiment = kernel_of(body);
      const Execution execution = experiment.run(seed);
      ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0)) << body;
      const auto got = values_of<int>(experiment.contents[1]);
      for (int i = 0; i < 256; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 2 * (i % 32) - 63) << i;
    }
  };
  const std::string fill = "alignas(128) __shared__ int own[64];\nown[t] = t; own[32 + t] = 32 + t;\n";
  const std::string copy =
      "if (t == 0) bulk_copy_to_block(in_block_of_cluster(stage, cluster_rank() ^ 1), own, 256, "
      "in_block_of_cluster(&full, cluster_rank() ^ 1));\n";
  expect(fill + "fence_async();\n" + set_up + copy + exchanged);
  std::string all;
  for (const Finding& finding : kernel_of(fill + set_up + copy + exchanged).run(1).findings) all += describe(finding);
  EXPECT_THAT(all, HasSubstr("a bulk copy reads 16 bytes"));
  // Two numbers by each thread.
  expect(set_up +
         "store_async(reinterpret_cast<int2*>(in_block_of_cluster(stage, cluster_rank() ^ 1)) + t, "
         "make_int2(2 * t, 2 * t + 1), in_block_of_cluster(&full, cluster_rank() ^ 1));\n" +
         exchanged);
  expect(set_up + R"(const unsigned to = __cvta_generic_to_shared(stage + 2 * t), at = __cvta_generic_to_shared(&full);
asm volatile("{\n.reg .b32 there, barrier;\nmapa.shared::cluster.u32 there, %0, %4;\n"
             "mapa.shared::cluster.u32 barrier, %1, %4;\n"
             "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [there], {%2, %3}, [barrier];\n}"
             ::"r"(to), "r"(at), "r"(2 * t), "r"(2 * t + 1), "r"(cluster_rank() ^ 1) : "memory");
)" + exchanged);
}

TEST(Clusters, order_accesses_by_their_barrier_only) {
  EXPECT_FALSE(races_of(kernel_of(with(with(exchange, "cluster_sync();  // FIRST", "cluster_sync();"),
                                       "const int* there", "tile[t] = 7;\nconst int* there")))
                   .empty());
  // A relaxed arrival orders nothing.
  EXPECT_FALSE(races_of(kernel_of(with(exchange, "cluster_sync();  // FIRST",
                                       "__cluster_barrier_arrive_relaxed();\n__cluster_barrier_wait();")))
                   .empty());
  EXPECT_FALSE(races_of(kernel_of(with(with(exchange, "cluster_sync();  // FIRST", "cluster_sync();\n__syncthreads();"),
                                       "// LOAD", "\n__syncthreads();\ntile[t] = 0;")))
                   .empty());
}

TEST(Clusters, need_a_barrier_before_and_behind_the_use_of_other_blocks) {
  const Finding early = expect_finding(kernel_of(with(exchange, "cluster_sync();  // FIRST", "__syncthreads();")),
                                       FindingKind::race, "// LOAD");
  EXPECT_THAT(early.message, HasSubstr("before a barrier of the cluster: the block may not have started"));
  const Experiment unkept = kernel_of(with(exchange, "cluster_sync();  // LAST", ""));
  bool is_found = false;
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment experiment = unkept;
    for (const Finding& finding : experiment.run(seed).findings)
      is_found |= finding.message.find("which has left the kernel") != std::string::npos;
  }
  EXPECT_TRUE(is_found);
}

TEST(Clusters, check_bounds_and_ranks) {
  EXPECT_THAT(
      expect_finding(kernel_of(with(exchange, "there[31 - t]", "there[32 + t]")), FindingKind::out_of_bounds, "// LOAD")
          .message,
      HasSubstr("of another block"));
  EXPECT_THAT(expect_finding(kernel_of(with(exchange, "cluster_rank() ^ 1);", "cluster_rank() + 2);  // RANK")),
                             FindingKind::out_of_bounds, "// RANK")
                  .message,
              HasSubstr("of a cluster that has 2 blocks"));
  Experiment alone = kernel_of(exchange);
  alone.cluster = {};
  EXPECT_EQ(alone.run(1).findings.at(0).kind, FindingKind::out_of_bounds) << "a cluster of one block";
}

TEST(Clusters, wait_for_all_threads_that_are_there) {
  expect_silent(kernel_of("if (t == 5) return;\ncluster_sync();\nb[blockIdx.x * 32 + t] = 1;\ncluster_sync();"));
  EXPECT_THAT(
      expect_finding(kernel_of("if (t != 5) cluster_sync();  // HERE\nelse __syncthreads();"), FindingKind::hang)
          .message,
      HasSubstr("no thread can go on"));
  EXPECT_THAT(
      expect_finding(kernel_of("cluster_arrive();\ncluster_arrive();  // HERE"), FindingKind::barrier_divergence)
          .message,
      HasSubstr("arrives at the barrier of its cluster again"));
  EXPECT_THAT(expect_finding(kernel_of("cluster_wait();  // HERE"), FindingKind::barrier_divergence).message,
              HasSubstr("without having arrived"));
}

TEST(Clusters, know_their_ranks_and_sizes) {
  Experiment experiment = kernel_of(
      "const auto cluster = cg::this_cluster();\nb[blockIdx.x * 32 + t] = cluster_rank() + 10 * cluster_blocks() + 100 "
      "* "
      "cluster.thread_rank() + 10000 * cluster.num_threads() + 1000000 * __clusterIdx().x;");
  ASSERT_EQ(summary_of(experiment.run(1)), "");
  const auto got = values_of<int>(experiment.contents[1]);
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(got[static_cast<std::size_t>(i)], i / 32 % 2 + 20 + 100 * (i % 64) + 640000 + 1000000 * (i / 64)) << i;
}

}  // namespace
}  // namespace warpwright::simulator
