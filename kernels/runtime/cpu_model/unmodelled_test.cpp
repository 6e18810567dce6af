// Tests that the simulator reports code without a model when a thread reaches it, and hides no other findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The text of the only finding of a run of the kernel.
std::string only_finding(const std::string& text) {
  Experiment experiment = two_buffers(text, 32, 32);
  const Execution execution = experiment.run(0);
  EXPECT_EQ(execution.findings.size(), 1U);
  return execution.findings.empty() ? "" : describe(execution.findings[0]);
}

std::string no_model(const std::string& what, const std::string& text) {
  return "no CPU model: " + what + " at kernel.cuh:" + std::to_string(line_of(text, "HERE"));
}

TEST(Unmodelled, inline_ptx_is_named_with_its_line_in_any_spelling_and_function) {
  const std::string plain = R"(
__device__ unsigned lane() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(lane));  // HERE
  return lane;
}
__global__ void kernel(float* first, float* second) { second[threadIdx.x] = first[lane()]; }
)";
  EXPECT_EQ(only_finding(plain), no_model("inline PTX", plain));
  const std::string generic = R"(
template <class T>
__device__ T load(const T* from, unsigned short half) {
  T value;
  if (half == 3) asm("ld.global.nc.f64 %0, [%1]; // %2" : "=d"(value) : "l"(from), "h"(half) : "memory");
  else
    asm ("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(from));  // HERE
  return value;
}
__global__ void kernel(float* first, float* second) { second[threadIdx.x] = load(first + threadIdx.x, 2); }
)";
  EXPECT_EQ(only_finding(generic), no_model("inline PTX", generic));
  const std::string of_c = R"(
#include <cuda.h>
__device__ void prefetch(const CUtensorMap* map) {
  __asm__ __volatile__("prefetchu.L1 [%0];" : : "l"(map) : "memory");  // HERE
}
__global__ void kernel(float* first, float* second) {
  if (first[0] > 1) __asm("trap;");
  prefetch(reinterpret_cast<const CUtensorMap*>(second));
}
)";
  EXPECT_EQ(only_finding(of_c), no_model("inline PTX", of_c));
}

TEST(Unmodelled, textures_and_products_of_bits_are_named) {
  const std::string texture = R"(
__global__ void kernel(float* first, float* second) {
  const cudaTextureObject_t image = 1;
  second[threadIdx.x] = tex2D<float>(image, first[0], 2.0f);  // HERE
}
)";
  EXPECT_EQ(only_finding(texture), no_model("tex2D", texture));
  const std::string tensor = R"(
#include <mma.h>
__global__ void kernel(float* first, float* second) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> a;
  wmma::load_matrix_sync(a, first, 128);  // HERE
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> c;
  wmma::fill_fragment(c, 0);
  wmma::bmma_sync(c, a, a, c);
  wmma::store_matrix_sync(reinterpret_cast<int*>(second), c, 8, wmma::mem_row_major);
}
)";
  EXPECT_EQ(only_finding(tensor), no_model("load_matrix_sync", tensor));
  const std::string address = R"(
__global__ void kernel(float* first, float* second) {
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_global(first));  // HERE
  second[to] = 0;
}
)";
  EXPECT_EQ(only_finding(address), no_model("__cvta_generic_to_global", address));
}

TEST(Unmodelled, collectives_of_cub_are_named) {
  for (const auto& [collective, name] : std::vector<std::pair<std::string, std::string>>{
           {"BlockReduce<float, 32>(storage).Sum(first[0])", "BlockReduce"},
           {"BlockScan<float, 32, BLOCK_SCAN_RAKING>(storage).InclusiveSum(first[0], second[0])", "BlockScan"},
           {"BlockExchange<float, 32, 4>(storage).StripedToBlocked(items)", "BlockExchange"},
           {"BlockRadixSort<float, 32, 4>(storage).SortDescending(items)", "BlockRadixSort"},
           {"BlockRadixSort<float, 32, 4, int>(storage).Sort(items, values)", "BlockRadixSort"},
           {"WarpReduce<float>(storage).Sum(first[0])", "WarpReduce"}}) {
    const std::string text = R"(
#include <cub/cub.cuh>
__global__ void kernel(float* first, float* second) {
  using namespace cub;
  __shared__ typename BlockExchange<float, 32, 4>::TempStorage storage;
  float items[4] = {};
  int values[4] = {};
  )" + collective + R"(;  // HERE
  second[threadIdx.x] = items[0] + values[0];
}
)";
    EXPECT_EQ(only_finding(text), no_model("cub::" + name, text));
  }
}

TEST(Unmodelled, a_texture_of_the_plan_is_named_where_it_is_fetched) {
  const std::string text = R"(
__global__ void kernel(cudaTextureObject_t image, float* out, int count) {
  if (threadIdx.x < count) out[threadIdx.x] = 1;
  else out[threadIdx.x] = tex1Dfetch<float>(image, threadIdx.x);  // HERE
}
)";
  const Module& module = module_of(text, {"kernel"});
  const auto run = [&](int count, std::int64_t texels) {
    const Texture image{.buffer = "image", .extent = {texels, 0, 0}};
    const Plan plan{
        .buffers = {{.name = "image", .count = 32}, {.name = "out", .role = Role::out, .count = 32}},
        .steps = {{.what = TextureUpload{image}},
                  {.what = Launch{.entry = "kernel",
                                  .grid = {},
                                  .block = {.x = 32},
                                  .arguments = {TextureArgument{image}, pointer_to("out"), value(count)}}}}};
    std::vector<std::vector<std::byte>> contents(2, std::vector<std::byte>(128));
    return simulate(plan, module, contents, {});
  };
  const Execution reached = run(31, 32);
  ASSERT_EQ(reached.findings.size(), 1U);
  EXPECT_EQ(describe(reached.findings[0]), no_model("tex1Dfetch", text));
  EXPECT_EQ(summary_of(run(32, 32)), "") << "what no thread fetches is no matter";
  EXPECT_THAT(summary_of(run(32, 33)), HasSubstr("wrong arguments")) << "no plan copies from behind a buffer";
}

TEST(Unmodelled, code_that_no_thread_reaches_is_ignored) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  second[threadIdx.x] = first[threadIdx.x];
  if (first[threadIdx.x] > 1) asm volatile("trap;");
#if __CUDA_ARCH__ < 900
  asm volatile("trap;");
#endif
}
)",
                                      32, 32);
  EXPECT_EQ(summary_of(experiment.run(0)), "");
  EXPECT_EQ(values_of<float>(experiment.contents[1])[31], 1);
}

TEST(Unmodelled, errors_before_it_are_found) {
  const std::string text = R"(
__global__ void kernel(float* first, float* second) {
  second[threadIdx.x + 1] = first[threadIdx.x];
  __syncthreads();
  asm volatile("bar.sync 0;");
}
)";
  EXPECT_THAT(only_finding(text), AllOf(HasSubstr("out of bounds"), Not(HasSubstr("PTX"))));
}

TEST(Unmodelled, an_ordinary_error_does_not_compile) {
  for (const char* wrong : {"undeclared(first)", "first.x", "__syncthread()", "asm_(\"trap;\")"}) {
    const std::string text =
        std::string("__global__ void kernel(float* first, float* second) {\n  ") + wrong + ";\n asm(\"trap;\"); }\n";
    EXPECT_THROW(module_of(text, {"kernel"}), std::runtime_error) << wrong;
  }
}

}  // namespace
}  // namespace warpwright::simulator
