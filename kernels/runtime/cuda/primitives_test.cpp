// Tests of stores of matrices, barriers by number, clusters, bulk copies, and inline PTX of warpgroups: kernels give
// the same results in the simulator and on a GPU. The part for a GPU is skipped without one, or if it is too old.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <numeric>

#include "kernels/runtime/built_in_tests/trial.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/simulate.hpp"

namespace warpwright::gpu {
namespace {

constexpr std::int64_t count = 16384;

/// A kernel run(const int* in, int* out).
struct Case {
  const char* name;
  std::string text;
  Dim3 grid, block, cluster = {};
};

SourceTree sources_of(const Case& one) {
  SourceTree sources = built_ins::headers_of_the_tree();
  sources["primitive.cuh"] = "#include \"kernels/runtime/device.cuh\"\n" + one.text;
  return sources;
}

Plan plan_of(const Case& one) {
  return {.buffers = {{.name = "in", .type = ElementType::i32, .count = count},
                      {.name = "out", .role = Role::inout, .type = ElementType::i32, .count = count}},
          .steps = {{.what = Launch{.entry = "run",
                                    .grid = one.grid,
                                    .block = one.block,
                                    .cluster = one.cluster,
                                    .arguments = {pointer_to("in"), pointer_to("out")}}}}};
}

std::vector<Bytes> buffers() {
  std::vector<std::int32_t> in(count);
  std::iota(in.begin(), in.end(), 0);
  std::vector<Bytes> all(2, Bytes(in.size() * sizeof(std::int32_t)));
  std::memcpy(all[0].data(), in.data(), all[0].size());
  return all;
}

const std::string stores_of_matrices = R"(
#include "kernels/runtime/matrix.cuh"
using namespace warpwright;
template <int Count>
__device__ void store(const int* in, int* out) {
  alignas(16) __shared__ unsigned tile[2][128];
  const int t = threadIdx.x;
  for (int i = t; i < 256; i += 32) (&tile[0][0])[i] = 0;
  __syncwarp();
  unsigned from[Count];
  for (int i = 0; i < Count; ++i) from[i] = in[32 * i + t] | in[1000 + 32 * i + t] << 16;
  store_matrices(tile[0] + 4 * t, from);
  store_matrices_transposed(tile[1] + 4 * t, from);
  __syncwarp();
  for (int i = t; i < 256; i += 32) out[i] = (&tile[0][0])[i];
}
__global__ void run(const int* in, int* out) {
  store<1>(in, out);
  __syncwarp();
  store<2>(in, out + 256);
  __syncwarp();
  store<4>(in, out + 512);
}
)";

const std::string barriers = R"(
#include "kernels/runtime/named_barriers.cuh"
using namespace warpwright;
// One warp writes two places in turn, three warps read them.
__global__ void run(const int* in, int* out) {
  __shared__ int tile[2][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i < 100; ++i) {
    const int place = i % 2;
    if (warp == 0) {
      if (i >= 2) barrier_wait(3 + place, 128);
      tile[place][lane] = in[32 * i + lane] * 3;
      barrier_arrive(1 + place, 128);
    } else {
      barrier_wait(1 + place, 128);
      out[(3 * i + warp - 1) * 32 + lane] = tile[place][31 - lane];
      if (i < 98) barrier_arrive(3 + place, 128);
    }
  }
}
)";

const std::string clusters = R"(
#include "kernels/runtime/clusters.cuh"
using namespace warpwright;
// Each block adds to the memory of all blocks of its cluster, and then reads that of the next one.
__global__ void run(const int* in, int* out) {
  __shared__ int sums[64];
  const int at = 64 * (blockIdx.x + gridDim.x * blockIdx.y) + threadIdx.x;
  sums[threadIdx.x] = 0;
  cluster_sync();
  for (unsigned i = 0; i < cluster_blocks(); ++i)
    atomicAdd(in_block_of_cluster(sums, i) + threadIdx.x, in[at] * (i + 1));
  cluster_sync();
  const unsigned next = (cluster_rank() + 1) % cluster_blocks();
  out[at] = in_block_of_cluster(sums, next)[63 - threadIdx.x];
  cluster_sync();
}
)";

const std::string bulk_stores = R"(
using namespace warpwright;
// Tiles of 256 numbers leave through two stages.
__global__ void run(const int* in, int* out) {
  alignas(128) __shared__ int stage[2][256];
  for (int i = 0; i < 16; ++i) {
    const int tile = 256 * (16 * blockIdx.x + i);
    if (threadIdx.x == 0) bulk_wait_reads<1>();
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += 64) stage[i % 2][k] = 3 * in[tile + 255 - k];
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      bulk_store(out + tile, stage[i % 2], 1024);
      bulk_commit();
    }
  }
  if (threadIdx.x == 0) bulk_wait_reads<0>();
}
)";

const std::string copies_in_clusters = R"(
#include "kernels/runtime/clusters.cuh"
using namespace warpwright;
// A stage gets a quarter from each of two copies for both blocks, from a copy and from stores of the other block.
__global__ void run(const int* in, int* out) {
  alignas(128) __shared__ int stage[256], own[64];
  __shared__ phase_barrier full;
  const int t = threadIdx.x, at = 256 * blockIdx.x;
  const unsigned rank = cluster_rank(), other = rank ^ 1;
  own[t] = 5 * in[at + t];
  if (t == 0) phase_init(&full, 1);
  fence_async();
  if (t == 0) phase_arrive_expect(&full, 1024);
  cluster_sync();
  if (t == 0) {
    bulk_copy_multicast(stage + 64 * rank, in + at, 256, &full, 3);
    bulk_copy_to_block(in_block_of_cluster(stage + 128, other), own, 256, in_block_of_cluster(&full, other));
  }
  store_async(in_block_of_cluster(stage + 192 + t, other), 7 * in[at + t], in_block_of_cluster(&full, other));
  phase_wait(&full, 0);
  for (int i = t; i < 256; i += 64) out[at + i] = stage[i];
  cluster_sync();
}
)";

/// Products with swizzles of 128 bytes, as CUTLASS's wrappers write them: A K-major, then the same A M-major.
const std::string ptx_of_warpgroups = R"(
#include "kernels/runtime/common/half.cuh"
using bf16 = warpwright::bfloat16;
__device__ unsigned long long describe(const void* first) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(first));
  unsigned long long made = 0;
  made |= (at & 0x3ffff) >> 4;
  made |= 1ull << 16;
  made |= static_cast<unsigned long long>(1024 >> 4) << 32;
  made |= 1ull << 62;
  return made;
}
template <int ATransposed>
__device__ void multiply(float (&d)[2][8], unsigned long long a, unsigned long long b, int scale_d) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %18, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20, %21, %22;\n"
      "}\n"
      : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[0][4]), "+f"(d[0][5]), "+f"(d[0][6]),
        "+f"(d[0][7]), "+f"(d[1][0]), "+f"(d[1][1]), "+f"(d[1][2]), "+f"(d[1][3]), "+f"(d[1][4]), "+f"(d[1][5]),
        "+f"(d[1][6]), "+f"(d[1][7])
      : "l"(a), "l"(b), "r"(scale_d), "n"(1), "n"(-1), "n"(ATransposed), "n"(0));
}
__global__ void run(const int* in, int* out) {
  alignas(1024) __shared__ bf16 a[64 * 64];
  alignas(1024) __shared__ bf16 columns[64 * 64];  // of A
  alignas(1024) __shared__ bf16 b[32 * 64];
  __shared__ unsigned long long barrier;
  const int t = threadIdx.x;
  for (int i = t; i < 64 * 64; i += 128) {
    a[i ^ (i >> 6 & 7) << 3] = bf16(in[i] % 7 - 3);
    columns[i ^ (i >> 6 & 7) << 3] = bf16(in[i % 64 * 64 + i / 64] % 7 - 3);
  }
  for (int i = t; i < 32 * 64; i += 128) b[i ^ (i >> 6 & 7) << 3] = bf16(in[i] % 5 - 2);
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(128));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(at),
      "r"(0)
      : "memory");
  float d[2][8], e[2][8];
  for (int i = 0; i < 16; ++i) asm volatile("" : "+f"(d[i / 8][i % 8]), "+f"(e[i / 8][i % 8])::"memory");
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
  for (int k = 0; k < 4; ++k) multiply<0>(d, describe(a + 16 * k), describe(b + 16 * k), k != 0);
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
  for (int k = 0; k < 4; ++k) multiply<1>(e, describe(columns + 16 * 64 * k), describe(b + 16 * k), k != 0);
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(0) : "memory");
  for (int i = 0; i < 16; ++i) {
    const int row = t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8, column = i / 4 * 8 + t % 4 * 2 + i % 2;
    out[32 * row + column] = static_cast<int>(d[i / 8][i % 8]);
    out[2048 + 32 * row + column] = static_cast<int>(e[i / 8][i % 8]);
  }
}
)";

std::vector<Case> cases() {
  return {{"StoresOfMatrices", stores_of_matrices, {1}, {32}},
          {"BarriersByNumber", barriers, {1}, {128}},
          {"ClustersOfTwo", clusters, {16}, {64}, {2}},
          {"ClustersOfFourInTwoDimensions", clusters, {16, 2}, {64}, {2, 2}},
          {"BulkStores", bulk_stores, {4}, {64}},
          {"CopiesInClusters", copies_in_clusters, {16}, {64}, {2}},
          {"InlinePtxOfWarpgroups", ptx_of_warpgroups, {1}, {128}}};
}

class Primitives : public testing::TestWithParam<Case> {
 protected:
  /// The output in the simulator; throws std::runtime_error with a finding.
  static Bytes simulated(const Case& one, std::uint64_t seed) {
    const TemporaryFolder folder;
    const auto result = simulator::compile(
        {.sources = sources_of(one), .headers = {"primitive.cuh"}, .entries = {"run"}}, folder / "primitive.so");
    if (!result.ok()) throw std::runtime_error(result.log);
    const simulator::Module module(folder / "primitive.so");
    std::vector<Bytes> contents = buffers();
    simulator::SimulationOptions options;
    options.device.compute_capability = 90;
    options.schedule.seed = seed;
    const simulator::Execution execution = simulator::simulate(plan_of(one), module, contents, options);
    if (!execution.clean()) throw std::runtime_error(simulator::describe(execution.findings.front()));
    return contents[1];
  }
};

TEST_P(Primitives, GiveOneResultUnderAllSchedules) {
  if (simulator::host_compiler().empty()) GTEST_SKIP() << "no host compiler";
  const Bytes first = simulated(GetParam(), 0);
  EXPECT_NE(first, buffers()[1]) << "something is stored";
  for (std::uint64_t seed = 1; seed < 4; ++seed) EXPECT_EQ(simulated(GetParam(), seed), first);
}

class PrimitivesInTheSimulator : public Primitives {};

TEST_P(PrimitivesInTheSimulator, GiveThePlainProducts) {
  if (simulator::host_compiler().empty()) GTEST_SKIP() << "no host compiler";
  const Bytes bytes = simulated(GetParam(), 2);
  std::vector<std::int32_t> out(count);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 32; ++column) {
      int sum = 0;
      for (int k = 0; k < 64; ++k) sum -= ((row * 64 + k) % 7 - 3) * ((column * 64 + k) % 5 - 2);  // B is negated
      const auto at = static_cast<std::size_t>(32 * row + column);
      EXPECT_EQ(out[at], sum) << row << " " << column;
      EXPECT_EQ(out[2048 + at], sum) << row << " " << column << ", A M-major";
    }
}

TEST_P(Primitives, AreAssembledByNvrtc) {
  try {
    const Cubin cubin =
        Nvrtc().compile(sources_of(GetParam()), {{.source = "primitive.cuh", .entries = {"run"}}}, "sm_90");
    EXPECT_TRUE(cubin.ok) << cubin.log;
  } catch (const std::runtime_error& missing) {
    GTEST_SKIP() << missing.what();
  }
}

class PrimitivesOnAGpu : public Primitives {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) GTEST_SKIP() << reason;
    gpu_ = std::make_unique<Gpu>(0);
    if (gpu_->info().device.compute_capability != 90) GTEST_SKIP() << "these kernels are for sm_90";
  }

  std::unique_ptr<Gpu> gpu_;
  const TemporaryFolder folder_;
};

TEST_P(PrimitivesOnAGpu, GiveTheResultsOfTheSimulator) {
  const Cubin cubin = Nvrtc().compile(sources_of(GetParam()), {{.source = "primitive.cuh", .entries = {"run"}}},
                                      gpu_->info().device.arch());
  ASSERT_TRUE(cubin.ok) << cubin.log;
  std::ofstream(folder_ / "primitive.cubin", std::ios::binary) << cubin.image;
  const std::vector<Bytes> contents = buffers();
  const Memory in(static_cast<std::int64_t>(contents[0].size())), out(static_cast<std::int64_t>(contents[1].size()));
  in.upload(gpu_->stream(), contents[0]);
  out.upload(gpu_->stream(), contents[1]);
  ModuleCache modules;
  const Plan plan = plan_of(GetParam());
  PlanRunner(*gpu_, modules, plan,
             {.ok = true, .module = (folder_ / "primitive.cubin").string(), .instances = cubin.instances.at(0)},
             {{"in", in.address()}, {"out", out.address()}})
      .run();
  EXPECT_EQ(out.download(gpu_->stream()), simulated(GetParam(), 1));
}

std::string name_of(const testing::TestParamInfo<Case>& one) {
  return one.param.name;
}
INSTANTIATE_TEST_SUITE_P(All, Primitives, testing::ValuesIn(cases()), name_of);
INSTANTIATE_TEST_SUITE_P(OfWarpgroups, PrimitivesInTheSimulator, testing::Values(cases().back()), name_of);
INSTANTIATE_TEST_SUITE_P(All, PrimitivesOnAGpu, testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace warpwright::gpu
