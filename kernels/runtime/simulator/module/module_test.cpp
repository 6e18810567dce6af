// Tests of loading modules: names, lines, variables, and that two modules share nothing.
#include "kernels/runtime/simulator/module/module.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/module/debug_info.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::simulator {
namespace {

using testing::Each;
using testing::ElementsAre;

/// Compiles the entries of `text` into the module `path`.
void compile_into(const std::filesystem::path& path, const std::string& text, std::vector<std::string> entries) {
  CompileRequest request{.sources = device_headers(),
                         .headers = {"kernels/runtime/device.cuh", "kernel.cuh"},
                         .entries = std::move(entries)};
  request.sources["kernel.cuh"] = text;
  const CompileResult result = compile(request, path);
  EXPECT_TRUE(result.ok()) << result.log;
}

const std::string kText = R"(
__constant__ float table[16];
template <int N>
__global__ void kernel(float* out) {
  __shared__ float tile[N];
  tile[threadIdx.x] = table[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x];
}
)";

TEST(Module, lists_its_entries_as_requested) {
  const Module& module = module_of(kText, {"kernel<8>", "kernel< 16 >"}, {"table"});
  EXPECT_THAT(module.entry_names(), ElementsAre("kernel<8>", "kernel< 16 >"));
  ASSERT_NE(module.entry("kernel<8>"), nullptr);
  EXPECT_EQ(module.entry("kernel<8>")->argument_count, 1u);
  EXPECT_EQ(module.entry("kernel<8>")->argument_sizes[0], 8u);
  EXPECT_EQ(module.entry("kernel<9>"), nullptr);
  ASSERT_NE(module.constant("table"), nullptr);
  EXPECT_EQ(module.constant("table")->bytes, 64u);
  EXPECT_EQ(module.constant("tables"), nullptr);
}

TEST(Module, constants_are_uploaded_by_a_step_and_cannot_be_written) {
  Experiment experiment{.text = kText, .entry = "kernel<8>", .block = {8}};
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(8, 0.0f));
  Plan plan = experiment.plan();
  plan.buffers.push_back({.name = "filter", .role = Role::in, .type = ElementType::f32, .count = 8});
  experiment.contents.push_back(bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  std::vector<Step> steps(2);
  steps[0].what = ConstantUpload{.symbol = "table", .buffer = "filter", .bytes = 32};
  steps[1] = plan.steps[0];
  plan.steps = steps;
  const Module& module = module_of(kText, {"kernel<8>", "kernel< 16 >"}, {"table"});
  EXPECT_EQ(summary_of(simulate(plan, module, experiment.contents)), "");
  EXPECT_EQ(experiment.contents[0], experiment.contents[1]);

  std::get<ConstantUpload>(plan.steps[0].what).symbol = "other";
  EXPECT_EQ(simulate(plan, module, experiment.contents).findings.at(0).kind, FindingKind::unknown_entry);
}

TEST(Module, a_read_past_a_constant_is_out_of_bounds) {
  Experiment experiment{.text = kText, .entry = "kernel<32>"};
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(32, 0.0f));
  const Execution execution = experiment.run();
  EXPECT_EQ(summary_of(execution), "out of bounds at 6");
  EXPECT_EQ(execution.findings.at(0).message.find("index 16 in a dimension of 16 of array 'table'"), 0U)
      << describe(execution.findings.at(0));
}

TEST(Module, two_modules_with_one_template_share_nothing_and_unload) {
  const TemporaryFolder folder;
  const auto path = folder / "first.so";
  const auto copy = folder / "second.so";
  compile_into(path, kText, {"kernel<8>"});
  compile_into(copy, kText, {"kernel<8>"});
  const void* first_kernel = nullptr;
  {
    Module first(path);
    const Module second(copy);
    EXPECT_NE(first.entry("kernel<8>")->kernel, second.entry("kernel<8>")->kernel);
    EXPECT_NE(first.table().runtime, second.table().runtime);
    first_kernel = reinterpret_cast<const void*>(first.entry("kernel<8>")->kernel);
    EXPECT_TRUE(first.contains(first_kernel));
    EXPECT_FALSE(second.contains(first_kernel));
    EXPECT_FALSE(first.is_writable(first_kernel));
  }
  std::ifstream maps("/proc/self/maps");
  const std::string loaded((std::istreambuf_iterator<char>(maps)), {});
  EXPECT_EQ(loaded.find(path.string()), std::string::npos);
}

const std::string kClasses = R"(
struct number {
  unsigned short bits;
  number() = default;
  constexpr number(int value) : bits(value) {}
};
struct index {
  int at;
  __device__ index() {}
};
// Four instances have 192 KiB of shared arrays together.
template <int N>
__global__ void reversed(const unsigned short* in, unsigned short* out) {
  __shared__ number first[8000], second[8000];
  __shared__ index third[4000];
  first[threadIdx.x] = second[32 + threadIdx.x] = number(in[threadIdx.x] + N);
  third[threadIdx.x].at = 31 - threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = first[third[threadIdx.x].at].bits + second[32 + threadIdx.x].bits;
}
// As the code of g++ 13 for guards: their distance from offset 0.
__global__ void guards(const int* distances, int* out) {
  warpwright::simulator::SharedVariable first{1, 0};
  out[threadIdx.x] = static_cast<const char*>(__tls_get_addr(&first))[distances[threadIdx.x]];
}
)";

std::vector<std::string> instances() {
  return {"reversed<0>", "reversed<1>", "reversed<2>", "reversed<3>", "guards"};
}

TEST(Module, shared_arrays_of_classes_are_not_constructed) {
  std::vector<std::uint16_t> in(32), expected(32);
  std::iota(in.begin(), in.end(), std::uint16_t{100});
  for (int n = 0; n < 4; ++n) {
    Experiment experiment{.text = kClasses, .entry = instances()[static_cast<std::size_t>(n)]};
    experiment.with("in", Role::in, ElementType::u16, in);
    experiment.with("out", Role::out, ElementType::u16, std::vector<std::uint16_t>(32));
    EXPECT_EQ(summary_of(simulate(experiment.plan(), module_of(kClasses, instances()), experiment.contents)), "");
    for (std::size_t i = 0; i < 32; ++i) expected[i] = static_cast<std::uint16_t>(in[31 - i] + in[i] + 2 * n);
    EXPECT_EQ(values_of<std::uint16_t>(experiment.contents[1]), expected) << n;
  }
}

TEST(Module, guards_are_set_if_they_are_reached_from_offset_0) {
  const TemporaryFolder folder;
  compile_into(folder / "module.so", kClasses, instances());
  const DebugInfo info(folder / "module.so");
  EXPECT_EQ(info.shared().front().name, "warpwright_first");
  EXPECT_EQ(info.shared().front().address, 0U);
  std::vector<int> distances;
  for (const DebugInfo::Symbol& variable : info.shared())
    if (variable.name.starts_with("_ZGV")) distances.push_back(static_cast<int>(variable.address));
  ASSERT_GE(distances.size(), 4U) << "the compiler makes guards for some of the arrays";
  ASSERT_GT(distances.back(), 100'000);
  Experiment experiment{.text = kClasses, .entry = "guards", .block = {static_cast<std::uint32_t>(distances.size())}};
  experiment.with("distances", Role::in, ElementType::i32, distances);
  experiment.with("out", Role::out, ElementType::i32, std::vector<int>(distances.size()));
  EXPECT_EQ(summary_of(simulate(experiment.plan(), Module(folder / "module.so"), experiment.contents)), "");
  EXPECT_THAT(values_of<int>(experiment.contents[1]), Each(1));
}

TEST(Module, a_file_that_is_no_module_is_an_error) {
  const TemporaryFolder folder;
  const auto path = folder / "text.so";
  std::ofstream(path) << "text";
  EXPECT_THROW(Module{path}, ModuleError);
  std::filesystem::remove(path);
  EXPECT_THROW(Module{path}, ModuleError);
  EXPECT_THROW(Module{"/lib/x86_64-linux-gnu/libm.so.6"}, ModuleError);
}

}  // namespace
}  // namespace warpwright::simulator
