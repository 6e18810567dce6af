// Tests of tensor maps and programmatic launches on a GPU. Skipped without a GPU, or if it is older than sm_90.
#include "kernels/runtime/cuda/launch_parts.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <tuple>

#include "kernels/runtime/built_in_tests/trial.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"
#include "kernels/runtime/simulator/box_kernel.hpp"
#include "kernels/runtime/simulator/bulk_reduction_kernel.hpp"

namespace warpwright::gpu {
namespace {

class LaunchPartsOnAGpu : public OnAGpu {
 protected:
  void SetUp() override {
    OnAGpu::SetUp();
    if (gpu_ && gpu_->info().device.compute_capability < 90) GTEST_SKIP() << "it is older than sm_90";
  }

  /// Compiles the text.
  CompiledProgram compiled(const std::string& text, const std::vector<std::string>& entries) {
    SourceTree sources = built_ins::headers_of_the_tree();
    sources["parts.cuh"] = "#include \"kernels/runtime/programmatic.cuh\"\n" + text;
    const Cubin cubin =
        Nvrtc().compile(sources, {{.source = "parts.cuh", .entries = entries}}, gpu_->info().device.arch());
    if (!cubin.ok) throw std::runtime_error(cubin.log);
    std::ofstream(folder_ / "parts.cubin", std::ios::binary) << cubin.image;
    return {.ok = true, .module = (folder_ / "parts.cubin").string(), .instances = cubin.instances.at(0)};
  }

  ModuleCache modules_;
};

/// A swizzle, and the number of a place in box_places.
class BoxesOnAGpu : public LaunchPartsOnAGpu, public testing::WithParamInterface<std::tuple<int, int>> {};

TEST_P(BoxesOnAGpu, ArriveAsInTheSimulator) {
  using namespace simulator;
  const auto [swizzle, number] = GetParam();
  const auto [column, row] = box_places[number];
  const CompiledProgram program = compiled(box_kernel, {"copy"});
  const std::vector<std::uint16_t> input = box_input();
  Bytes bytes(input.size() * sizeof(std::uint16_t));
  std::memcpy(bytes.data(), input.data(), bytes.size());
  const Memory in(static_cast<std::int64_t>(bytes.size())), out(box_elements * 2);
  in.upload(gpu_->stream(), bytes);
  PlanRunner(*gpu_, modules_, box_plan(box_map_of(swizzle), column, row), program,
             {{"in", in.address()}, {"out", out.address()}})
      .run();
  std::vector<std::uint16_t> got(box_elements);
  std::memcpy(got.data(), out.download(gpu_->stream()).data(), got.size() * 2);
  EXPECT_EQ(got, expected_box(swizzle, column, row)) << "the box at " << column << ", " << row;
}
INSTANTIATE_TEST_SUITE_P(, BoxesOnAGpu, testing::Combine(testing::Values(0, 32, 64, 128), testing::Range(0, 8)));

TEST_P(BoxesOnAGpu, AreStoredAsInTheSimulator) {
  using namespace simulator;
  const auto [swizzle, number] = GetParam();
  const auto [column, row] = box_places[number];
  if (!can_store(box_places[number])) GTEST_SKIP() << "an illegal instruction, after which this process has no GPU";
  const std::vector<std::uint16_t> before = box_input();
  Bytes bytes(before.size() * sizeof(std::uint16_t));
  std::memcpy(bytes.data(), before.data(), bytes.size());
  const Memory out(static_cast<std::int64_t>(bytes.size()));
  out.upload(gpu_->stream(), bytes);
  PlanRunner(*gpu_, modules_, store_plan(box_map_of(swizzle), column, row), compiled(store_kernel, {"store"}),
             {{"out", out.address()}})
      .run();
  std::vector<std::uint16_t> got(before.size());
  std::memcpy(got.data(), out.download(gpu_->stream()).data(), got.size() * 2);
  EXPECT_EQ(got, expected_matrix(swizzle, column, row)) << "the box at " << column << ", " << row;
}

class TensorsOnAGpu : public LaunchPartsOnAGpu, public testing::WithParamInterface<simulator::TensorCase> {};

TEST_P(TensorsOnAGpu, AreMovedAsInTheSimulator) {
  using namespace simulator;
  const std::vector<std::uint16_t> input = box_input();
  Bytes bytes(input.size() * sizeof(std::uint16_t));
  const Memory in(static_cast<std::int64_t>(bytes.size())), out(static_cast<std::int64_t>(bytes.size()));
  out.upload(gpu_->stream(), bytes);
  std::memcpy(bytes.data(), input.data(), bytes.size());
  in.upload(gpu_->stream(), bytes);
  PlanRunner(*gpu_, modules_, tensor_plan(GetParam()), compiled(tensor_kernel(GetParam().first.size()), {"moved"}),
             {{"in", in.address()}, {"out", out.address()}})
      .run();
  std::vector<std::uint16_t> got(input.size());
  std::memcpy(got.data(), out.download(gpu_->stream()).data(), got.size() * 2);
  EXPECT_EQ(got, expected_tensor(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(, TensorsOnAGpu, testing::ValuesIn(simulator::tensor_cases()),
                         [](const auto& one) { return one.param.name; });

class BulkReductionsOnAGpu : public LaunchPartsOnAGpu {
 protected:
  template <class T>
  void expect_all_operations(const std::string& name, ElementType type) {
    using namespace simulator;
    for (const auto& [operation, both] : ordered_reductions<T>()) {
      std::vector<T> values = reduction_input<T>();
      Bytes bytes(values.size() * sizeof(T));
      std::memcpy(bytes.data(), values.data(), bytes.size());
      const Memory out(static_cast<std::int64_t>(bytes.size()));
      out.upload(gpu_->stream(), bytes);
      ModuleCache modules;
      PlanRunner(*gpu_, modules, bulk_reduction_plan(type),
                 compiled(bulk_reduction_kernel(name, operation), {"combined"}), {{"out", out.address()}})
          .run();
      std::memcpy(values.data(), out.download(gpu_->stream()).data(), bytes.size());
      EXPECT_EQ(values, expected_reduction<T>(both)) << name << " " << operation;
    }
  }
};

TEST_F(BulkReductionsOnAGpu, OfSeveralBlocksLoseNothing) {
  expect_all_operations<int>("int", ElementType::i32);
  expect_all_operations<unsigned>("unsigned", ElementType::u32);
  expect_all_operations<long long>("long long", ElementType::i64);
  expect_all_operations<unsigned long long>("unsigned long long", ElementType::u64);
  expect_all_operations<float>("float", ElementType::f32);
  expect_all_operations<double>("double", ElementType::f64);
}

TEST_F(LaunchPartsOnAGpu, AProgrammaticLaunchSeesTheLaunchBeforeAfterItsWait) {
  const CompiledProgram program = compiled(R"(
__global__ void slow(int* a) {
  warpwright::let_next_launch_begin();
  const long long start = clock64();
  while (clock64() - start < 200000) {
  }
  a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
__global__ void next(const int* a, int* out) {
  warpwright::wait_for_previous_launch();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 10 * a[i];
}
)",
                                           {"slow", "next"});
  constexpr std::int64_t kCount = 4096;
  const Memory a(kCount * 4), out(kCount * 4);
  a.upload(gpu_->stream(), Bytes(kCount * 4));
  const auto launch = [&](const std::string& entry, std::vector<Argument> arguments, bool is_programmatic) {
    return Step{.what = Launch{.entry = entry,
                               .grid = {.x = 32},
                               .block = {.x = 128},
                               .arguments = std::move(arguments),
                               .programmatic = is_programmatic}};
  };
  const Plan plan{
      .buffers = {{.name = "a", .role = Role::inout, .type = ElementType::i32, .count = kCount},
                  {.name = "out", .role = Role::out, .type = ElementType::i32, .count = kCount}},
      .steps = {launch("slow", {pointer_to("a")}, false), launch("next", {pointer_to("a"), pointer_to("out")}, true)}};
  for (int run = 1; run <= 5; ++run) {
    PlanRunner(*gpu_, modules_, plan, program, {{"a", a.address()}, {"out", out.address()}}).run();
    std::vector<int> got(kCount);
    std::memcpy(got.data(), out.download(gpu_->stream()).data(), got.size() * sizeof(int));
    EXPECT_EQ(got, std::vector<int>(kCount, 10 * run));
  }
}

}  // namespace
}  // namespace warpwright::gpu
