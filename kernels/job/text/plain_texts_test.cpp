// Tests of plain .cu files in the styles that people write. The simulator compiles and runs them unchanged, and finds
// the bugs in their wrong versions, with the user's own file and line. NVRTC compiles the same sources.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>

#include "kernels/job/text/device_text.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/simulate.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::job {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kCount = 200;
constexpr unsigned kBlock = 64;

/// A file whose kernel `k(const float* in, float* out, int n)` runs with 4 blocks of 64 threads and n = 200; in[i] is i
/// + 1. With `found`: if `what` is replaced by `instead`, there must be a finding with these words.
struct Plain {
  std::string name, text, entry = "k";
  std::function<float(int)> expected;
  std::string what = {}, instead = {}, found = {};
  std::uint32_t shared_bytes = 0;
};

void PrintTo(const Plain& plain, std::ostream* out) {
  *out << plain.name;
}

const std::vector<Plain>& texts() {
  static const std::vector<Plain> all = {
      {.name = "whole_program",
       .text = R"(#include <iostream>
#include <cuda_runtime.h>
#define BLOCK 64
static void check(cudaError_t error) { if (error != cudaSuccess) std::cerr << "failed"; }
__global__ void k(const float* __restrict__ in, float* __restrict__ out, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] = in[i] * 2;
}
int main() {
  float *in, *out; check(cudaMalloc(&in, 800)); check(cudaMalloc(&out, 800));
  k<<<4, BLOCK>>>(in, out, 200);
}
)",
       .expected = [](int i) { return 2.0F * static_cast<float>(i + 1); },
       .what = "if (i < n) ",
       .found = "out of bounds at file.cu:7"},
      {.name = "dynamic_shared_memory",
       .text = R"(#include <stdio.h>
__global__ void k(const float* in, float* out, int n) {
  extern __shared__ float held[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  held[threadIdx.x] = i < n ? in[i] : 0.f;
  __syncthreads();
  if (i < n) out[i] = held[threadIdx.x ^ 1] + i / n;
}
)",
       .expected = [](int i) { return static_cast<float>((i ^ 1) + 1); },
       .what = "__syncthreads();",
       .found = "uninitialised read at file.cu:7",
       .shared_bytes = 256},
      {.name = "cooperative_groups",
       .text = R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = cg::reduce(warp, i < n ? in[i] : 0.f, cg::plus<float>());
  if (i < n) out[i] = sum;
}
)",
       .expected =
           [](int i) {
             float sum = 0;
             for (int k = i / 32 * 32; k < std::min(i / 32 * 32 + 32, kCount); ++k) sum += static_cast<float>(k + 1);
             return sum;
           },
       .what = "const float sum",
       .instead = "if (i >= n) return;\n  const float sum",
       .found = "bad warp mask at file.cu:8"},
      {.name = "local_arrays_types_and_constants",
       .text = R"(typedef struct { float weight; int shift; } Tap;
#define TAPS 3
__constant__ Tap unused_taps[TAPS];
const int kWidth = 2;
constexpr int rounded(int a) { return (a + kWidth - 1) / kWidth * kWidth; }
template <typename T> struct alignas(8) Pair { T a, b; };
inline __host__ __device__ float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }
__global__ void k(const float* in, float* out, int n) {
  alignas(16) float taps[rounded(TAPS)] = {1.f, 2.f, 3.f};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 both = make_float2(taps[0], taps[2]) * 2.f;
  if (i < n) { Pair<float> p{in[i], both.y}; out[i] = p.a + p.b; }
}
)",
       .expected = [](int i) { return static_cast<float>(i + 1) + 6; },
       .what = "taps[2]",
       .instead = "taps[i < 0 ? 0 : rounded(TAPS) + i]",
       .found = "out of bounds at file.cu:11"},
      {.name = "wide_loads_of_a_template",
       .text = R"(#include "packed.h"
#include <cassert>
template <int WIDTH, typename T>
__global__ void __launch_bounds__(64) k(const T* in, T* out, int n) {
  __shared__ alignas(16) T held[64 * WIDTH];
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * WIDTH;
  if (first >= n) return;
  assert(n % WIDTH == 0);
  load(held + threadIdx.x * WIDTH, in + first);
#pragma unroll
  for (int i = 0; i < WIDTH; ++i) out[first + i] = -held[threadIdx.x * WIDTH + i];
}
)",
       .entry = "k<4, float>",
       .expected = [](int i) { return -static_cast<float>(i + 1); },
       .what = "in + first",
       .instead = "in + first + 1",
       .found = "misaligned at packed.h:2"},
      {.name = "copies_with_a_barrier",
       .text = R"(#include <cooperative_groups.h>
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void k(const float* in, float* out, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ float held[8];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&ready, block.size());
  block.sync();
  cuda::memcpy_async(block, held, in, sizeof(float) * 8, ready);
  ready.arrive_and_wait();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = held[i % 8];
}
)",
       .expected = [](int i) { return static_cast<float>(i % 8 + 1); },
       .what = "ready.arrive_and_wait();",
       .found = "uninitialised read at file.cu:13"},
      {.name = "collectives_of_cub",
       .text = R"(#include <cub/cub.cuh>
#include <climits>
__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + (LONG_MAX > INT_MAX ? 1.f : 0.f);
}
)",
       .expected = [](int i) { return static_cast<float>(i + 2); },
       .what = "if (i < n) out",
       .instead = "out",
       .found = "out of bounds at file.cu:5"},
      {.name = "names_of_the_libraries",
       .text = R"(#include <cmath>
#include <cstdint>
#include <algorithm>
#include <limits>
#include <cuda_fp16.h>
using namespace std;
__global__ void k(const float* in, float* out, int n) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -std::numeric_limits<float>::infinity();
  if (i < n) best = std::max(best, __half2float(__float2half(in[i])));
  uint64_t all = UINT64_MAX;
  if (i < n) out[i] = best + float(all == ~uint64_t(0)) + floorf(M_PI) + min(FLT_MAX, 1.f);
}
)",
       .expected = [](int i) { return static_cast<float>(i + 1) + 5; },
       .what = "if (i < n) best",
       .instead = "best",
       .found = "out of bounds at file.cu:10"},
      {.name = "inline_ptx",
       .text = R"(__global__ void k(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = 0;
  // LANE
  if (i < n) out[i] = in[i] + lane;
}
)",
       .expected = [](int i) { return static_cast<float>(i + 1); },
       .what = "// LANE",
       .instead = "asm volatile(\"bfind.u32 %0, %1;\" : \"=r\"(lane) : \"r\"(1));",
       .found = "no CPU model at file.cu:4"},
  };
  return all;
}

simulator::Execution simulated(const Plain& plain, const std::map<std::string, std::string>& sources,
                               std::vector<float>& out) {
  const TemporaryFolder folder;
  const simulator::CompileResult compiled = simulator::compile(
      {.sources = sources, .headers = {"job/file.cuh"}, .entries = {plain.entry}}, folder / "module.so");
  EXPECT_TRUE(compiled.ok()) << compiled.log;
  if (!compiled.ok()) return {};
  const simulator::Module module(folder / "module.so");
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .type = ElementType::f32, .count = kCount},
                        {.name = "out", .role = Role::out, .type = ElementType::f32, .count = kCount}},
            .steps = {}};
  plan.steps.push_back({.what = Launch{.entry = plain.entry,
                                       .grid = {.x = 4},
                                       .block = {.x = kBlock},
                                       .shared_bytes = plain.shared_bytes,
                                       .arguments = {pointer_to("in"), pointer_to("out"), value(kCount)}}});
  std::vector<std::vector<std::byte>> contents(2, std::vector<std::byte>(kCount * sizeof(float)));
  for (int i = 0; i < kCount; ++i) {
    const auto given = static_cast<float>(i + 1);
    std::memcpy(contents[0].data() + i * sizeof(float), &given, sizeof given);
  }
  simulator::SimulationOptions options;
  options.schedule.seed = 5;
  const simulator::Execution execution = simulator::simulate(plan, module, contents, options);
  out.resize(kCount);
  std::memcpy(out.data(), contents[1].data(), contents[1].size());
  return execution;
}

/// The device headers that a source may include.
const std::map<std::string, std::string>& headers() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> sources;
    const std::filesystem::path root = WARPWRIGHT_SOURCE_DIR;
    for (const char* part : {"kernels/runtime", "kernels/job/text"})
      for (const auto& entry : std::filesystem::recursive_directory_iterator(root / part)) {
        if (entry.path().extension() != ".cuh") continue;
        std::ifstream in(entry.path());
        sources[relative(entry.path(), root).string()] = {std::istreambuf_iterator<char>(in), {}};
      }
    return sources;
  }();
  return all;
}

/// These headers with the device code of the source as job/file.cuh. It is in a file file.cu beside packed.h.
std::map<std::string, std::string> with_device_part_of(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder / "packed.h") << "template <class T> __device__ inline void load(T* to, const T* from) {\n"
                                        "  *(float4*)to = *(const float4*)from;\n}\n";
  std::ofstream(folder / "file.cu") << text;
  std::map<std::string, std::string> all = headers();
  all["job/file.cuh"] = PlainFile(folder / "file.cu").text().text;
  return all;
}

class PlainTexts : public testing::TestWithParam<Plain> {};

TEST_P(PlainTexts, RunOnTheSimulatorAsTheyAre) {
  std::vector<float> out;
  const simulator::Execution execution = simulated(GetParam(), with_device_part_of(GetParam().text), out);
  ASSERT_TRUE(execution.clean()) << describe(execution.findings.front());
  ASSERT_EQ(out.size(), kCount);
  for (int i = 0; i < kCount; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], GetParam().expected(i)) << i;
}

TEST_P(PlainTexts, HaveWrongVersionsWhoseBugsAreFound) {
  std::string text = GetParam().text;
  const auto at = text.find(GetParam().what);
  ASSERT_NE(at, std::string::npos);
  std::vector<float> out;
  text.replace(at, GetParam().what.size(), GetParam().instead);
  const simulator::Execution execution = simulated(GetParam(), with_device_part_of(text), out);
  ASSERT_FALSE(execution.clean());
  const simulator::Finding& first = execution.findings.front();
  const std::string file = std::filesystem::path(first.location.file).filename().string();
  EXPECT_THAT(fmt::format("{} at {}:{}", word_of(first.kind), file, first.location.line), HasSubstr(GetParam().found))
      << describe(first);
}

TEST_P(PlainTexts, CompileForAGpu) {
  std::optional<gpu::Nvrtc> nvrtc;
  try {
    nvrtc.emplace();
  } catch (const std::runtime_error& missing) {
    GTEST_SKIP() << missing.what();
  }
  const auto all = with_device_part_of(GetParam().text);
  const gpu::Cubin cubin =
      nvrtc->compile({all.begin(), all.end()}, {{.source = "job/file.cuh", .entries = {GetParam().entry}}}, "sm_80");
  EXPECT_TRUE(cubin.ok) << cubin.log;
  EXPECT_THAT(cubin.log, Not(HasSubstr("incompatible redefinition"))) << "of libcu++'s macros and ours";
}

INSTANTIATE_TEST_SUITE_P(All, PlainTexts, testing::ValuesIn(texts()), [](const auto& one) { return one.param.name; });

TEST(PlainText, AnAccessPastTheEndOfAnArrayNamesTheUsersFile) {
  const std::string text = R"(#include <vector>
int main() {}
__global__ void k(const float* in, float* out, int n) {
  __shared__ float tile[4][8];
  tile[0][threadIdx.x / 4] = in[0];
  out[threadIdx.x] = n;
}
)";
  std::vector<float> out;
  const simulator::Execution execution =
      simulated({.name = "", .text = "", .expected = {}}, with_device_part_of(text), out);
  ASSERT_FALSE(execution.clean());
  EXPECT_THAT(execution.findings.front().message, HasSubstr("'tile'")) << describe(execution.findings.front());
  EXPECT_EQ(execution.findings.front().location.line, 5);
}

}  // namespace
}  // namespace warpwright::job
