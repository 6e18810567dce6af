// Tests of the machine code of known kernels, compiled for every architecture: units, branches and doubles. No GPU is
// needed.
#include "kernels/runtime/cubin/machine_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "kernels/runtime/built_in_tests/trial.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"

namespace warpwright::gpu {
namespace {

const SourceTree kTree{{"known.cuh", R"(
extern "C" __global__ void chain(const float* in, float* out, int count) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) sum = fmaf(sum, in[i], 1.5f);
  out[threadIdx.x] = sum;
}
extern "C" __global__ void roots(const float* in, float* out, int count) {
  __shared__ float tile[64];
  float sum = 0;
  for (int at = 0; at < count; at += 64) {
    __syncthreads();
    tile[threadIdx.x] = in[at + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < 64; ++i) sum += rsqrtf(tile[i] + 1.0f);
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void inverse(const float* in, float* out) { out[threadIdx.x] = 1.0 / (in[threadIdx.x] + 0.1); }
extern "C" __global__ void plain(const float* in, float* out) { out[threadIdx.x] = 1.0f / in[threadIdx.x]; }
extern "C" __global__ void divide(const long long* in, float* out) { out[in[0] / in[1]] = in[2] % in[3]; }
__constant__ float weights[64];
extern "C" __global__ void weighted(float4* out, int i) {
  __shared__ float4 wide[64];
  __shared__ float narrow[64];
  __shared__ unsigned char bytes[64];
  wide[threadIdx.x] = out[threadIdx.x];
  narrow[threadIdx.x] = bytes[threadIdx.x] = i;
  __syncthreads();
  out[threadIdx.x] = wide[63 - threadIdx.x];
  out[i].x = narrow[63 - threadIdx.x] * weights[5] + bytes[63 - threadIdx.x] * weights[threadIdx.x];
}
extern "C" __global__ void doubles(const double* in, double* out) { out[threadIdx.x] = fma(in[0], in[1], in[2]); }
)"}};

class MachineCode : public testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_.emplace();
    } catch (const std::runtime_error& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

  std::vector<Instruction> code(const std::string& kernel, int architecture) {
    static std::map<int, Cubin> compiled;
    const auto [known, is_new] = compiled.try_emplace(architecture);
    Cubin& cubin = known->second;
    if (is_new) {
      const Program all{.source = "known.cuh",
                        .entries = {"chain", "roots", "inverse", "plain", "divide", "doubles", "weighted"}};
      cubin = nvrtc_->compile(kTree, {all}, "sm_" + std::to_string(architecture));
    }
    EXPECT_TRUE(cubin.ok) << cubin.log;
    return machine_code(cubin.image, cubin.instances.at(0).at(kernel).symbol, architecture);
  }

  std::optional<Nvrtc> nvrtc_;
};

std::ptrdiff_t count(const std::vector<Instruction>& code, Unit unit) {
  return std::ranges::count(code, unit, &Instruction::unit);
}

TEST_F(MachineCode, ABackwardBranchClosesALoopAroundItsArithmetic) {
  for (const int architecture : nvrtc_->architectures()) {
    const auto all = code("chain", architecture);
    std::vector<std::pair<std::size_t, std::size_t>> loops;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].target && *all[i].target < static_cast<std::int64_t>(i))
        loops.emplace_back(static_cast<std::size_t>(*all[i].target), i);
    ASSERT_EQ(loops.size(), 1U) << architecture;
    const std::vector<Instruction> body(all.begin() + static_cast<std::ptrdiff_t>(loops[0].first),
                                        all.begin() + static_cast<std::ptrdiff_t>(loops[0].second) + 1);
    EXPECT_EQ(count(body, Unit::fp32), 1) << architecture;
    EXPECT_EQ(count(body, Unit::global_load), 1) << architecture;
    EXPECT_EQ(count(body, Unit::global_store), 0) << architecture;
    const auto load = std::ranges::find(body, Unit::global_load, &Instruction::unit);
    const auto sum = std::ranges::find(body, Unit::fp32, &Instruction::unit);
    EXPECT_EQ(sum->operations, 2);
    ASSERT_LT(load->signals, 6) << architecture;
    EXPECT_NE(sum->waits >> load->signals & 1, 0) << "the sum waits for the load on sm_" << architecture;
  }
}

TEST_F(MachineCode, EveryInstructionOfKnownKernelsIsKnown) {
  for (const int architecture : nvrtc_->architectures())
    for (const char* kernel : {"chain", "roots", "inverse", "plain", "doubles", "divide", "weighted"})
      for (const Instruction& one : code(kernel, architecture))
        EXPECT_NE(one.unit, Unit::unknown) << kernel << " sm_" << architecture << " " << std::hex << one.opcode;
}

TEST_F(MachineCode, EveryInstructionOfPipelinesIsKnown) {
  SourceTree sources = built_ins::headers_of_the_tree();
  sources["pipeline.cuh"] = R"(
#include "kernels/runtime/clusters.cuh"
#include "kernels/runtime/matrix.cuh"
#include "kernels/runtime/programmatic.cuh"
#include "kernels/runtime/warpgroup.cuh"
using namespace warpwright;
extern "C" __global__ void pipeline(const __grid_constant__ tensor_map map, const float* in, float* out) {
  alignas(1024) __shared__ unsigned char tile[16384];
  __shared__ phase_barrier full;
  wait_for_previous_launch();
  if (threadIdx.x == 0) {
    phase_init(&full, 1);
    fence_async();
    phase_arrive_expect(&full, 16384);
    bulk_copy(tile, in, 4096, &full);
    bulk_copy_box(tile + 4096, map, 0, 0, &full);
    bulk_copy_multicast(tile + 8192, in, 4096, &full, 3);
    bulk_copy_box_multicast(tile + 12288, map, {0, 0}, &full, 3);
  }
  cluster_sync();
  phase_wait(&full, 0);
  float sums[32] = {};
  const auto a = describe_matrix<swizzle::bytes_64>(tile, 512);
  products_fence(sums);
  multiply_add_async<64, bfloat16>(sums, a, a.behind(4096));
  products_commit();
  products_wait<0>(sums);
  unsigned halves[1] = {threadIdx.x};
  store_matrices(tile + threadIdx.x % 8 * 16, halves);
  store_async(in_block_of_cluster(reinterpret_cast<float*>(tile) + threadIdx.x, 1), sums[31],
              in_block_of_cluster(&full, 1));
  fence_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_store(out, tile, 4096);
    bulk_store_box(map, 0, 0, tile + 4096);
    bulk_commit();
    bulk_wait_reads<0>();
    bulk_wait<0>();
  }
  let_next_launch_begin();
}
)";
  sources["float8.cuh"] = R"(
#include "kernels/runtime/matrix.cuh"
using namespace warpwright;
extern "C" __global__ void float8(const unsigned* in, float* out) {
  fragment_of_a<16, 32, float8_e4m3> a;
  fragment_of_b<8, 32, float8_e4m3> b;
  for (int i = 0; i < 4; ++i) a[i] = in[4 * threadIdx.x + i];
  for (int i = 0; i < 2; ++i) b[i] = in[4 * threadIdx.x + 2 * i];
  float sums[4] = {};
  multiply_add<16, 8, 32, float8_e4m3, float8_e4m3, float>(sums, a, b);
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = sums[i];
}
)";
  const auto check = [&](const std::string& kernel, int architecture) {
    const Cubin cubin = nvrtc_->compile(sources, {{.source = kernel + ".cuh", .entries = {kernel}}},
                                        "sm_" + std::to_string(architecture));
    ASSERT_TRUE(cubin.ok) << cubin.log;
    const auto code = machine_code(cubin.image, cubin.instances.at(0).at(kernel).symbol, architecture);
    EXPECT_GT(count(code, Unit::matrix), 0) << architecture;
    for (const Instruction& one : code)
      EXPECT_NE(one.unit, Unit::unknown) << kernel << " sm_" << architecture << " " << std::hex << one.opcode;
  };
  for (const int architecture : nvrtc_->architectures()) {
    if (architecture == 90) check("pipeline", architecture);
    if (architecture == 89 || architecture == 90 || architecture == 120) check("float8", architecture);
  }
}

TEST_F(MachineCode, UnitsAreCounted) {
  for (const int architecture : nvrtc_->architectures()) {
    const auto all = code("roots", architecture);
    EXPECT_EQ(count(all, Unit::barrier), 2) << architecture;
    EXPECT_EQ(count(all, Unit::shared_store), 1) << architecture;
    EXPECT_GE(count(all, Unit::special), 4) << architecture;
    EXPECT_GE(count(all, Unit::shared_load), 1) << architecture;
  }
}

TEST_F(MachineCode, DoublesInAKernelOfFloatsAreFound) {
  for (const int architecture : nvrtc_->architectures()) {
    EXPECT_GT(count_fp64(code("inverse", architecture)), 0) << architecture;
    EXPECT_GT(count_fp64(code("doubles", architecture)), 0) << architecture;
    for (const char* kernel : {"plain", "chain", "roots", "divide"})
      EXPECT_EQ(count_fp64(code(kernel, architecture)), 0);
  }
}

TEST_F(MachineCode, AFileThatIsNoCubinOrLacksTheKernelIsRefused) {
  EXPECT_THROW(machine_code("no cubin at all, but as long as the header of one, 64 bytes long....", "chain", 90),
               std::runtime_error);
  const Program program{.source = "known.cuh", .entries = {"chain"}};
  const Cubin cubin = nvrtc_->compile(kTree, {program}, "sm_90");
  EXPECT_THROW(machine_code(cubin.image, "missing", 90), std::runtime_error);
}

TEST_F(MachineCode, WidthsOfSharedAccessesAndBytesOfConstantVariablesAreKnown) {
  for (const int architecture : nvrtc_->architectures()) {
    const auto all = code("weighted", architecture);
    std::map<Unit, std::multiset<int>> widths;
    int constant = 0;
    for (const Instruction& one : all) {
      if (one.bytes > 0) widths[one.unit].insert(one.bytes);
      constant += one.constant;
    }
    EXPECT_EQ(widths[Unit::shared_load], (std::multiset<int>{1, 4, 16})) << architecture;
    EXPECT_EQ(widths[Unit::shared_store], (std::multiset<int>{1, 4, 16})) << architecture;
    EXPECT_EQ(constant, 8) << "weights[5] and weights[threadIdx.x] on sm_" << architecture;
    for (const Instruction& one : code("plain", architecture))
      EXPECT_EQ(one.constant, 0) << "parameters are no variables";
  }
}

}  // namespace
}  // namespace warpwright::gpu
