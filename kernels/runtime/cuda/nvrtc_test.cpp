// Tests of compiling for a GPU: constants and signatures of the result, and CUDA's own headers. No GPU is needed.
#include "kernels/runtime/cuda/nvrtc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/runtime/simulator/ring_kernel.hpp"

namespace warpwright::gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// device.cuh is not needed by what these tests compile.
const SourceTree kTree{{"shop.cuh", R"(
namespace shop {
enum class mode { slow, fast };
struct params { int block_size = 32; mode how = mode::slow; bool both = false; };
template <class T, int N> struct window { T low, high; short step[N]; };
template <class T> __constant__ T filter[33];
__constant__ float plain[8];
template <class T, params P>
__global__ void weigh(const T* __restrict__ in, T* __restrict__ out, window<T, 3> w, long long count) {
  if (threadIdx.x < count) out[threadIdx.x] = in[threadIdx.x] * filter<T>[threadIdx.x] + plain[0] + w.low;
}
__global__ void advance(volatile unsigned* flags, int index) { flags[0] = index; }
}
extern "C" __global__ void unmangled(float* out, double factor) { *out = static_cast<float>(factor); }
)"},
                       {"half.cuh", R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void halve(const __half* in, __nv_bfloat16* out) { out[0] = __float2bfloat16(__half2float(in[0]) / 2); }
)"}};

const std::string kWeigh = "shop::weigh<float, shop::params{.block_size = 64, .how = shop::mode::fast}>";

struct Window {
  float low = 0, high = 0;
  short step[3] = {};
};

class Compiled : public testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_.emplace();
    } catch (const std::runtime_error& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

  CompiledProgram built(const Program& program, const std::string& target = "sm_75") {
    const Cubin cubin = nvrtc_->compile(kTree, {program}, target);
    EXPECT_TRUE(cubin.ok) << cubin.log;
    return {.ok = cubin.ok,
            .module = {},
            .instances = cubin.instances.at(0),
            .log = {},
            .constants = cubin.constants.at(0)};
  }

  std::optional<Nvrtc> nvrtc_;
};

Plan weighing_plan() {
  return {
      .buffers = {{.name = "in"}, {.name = "out", .role = Role::out}},
      .steps = {{.what = ConstantUpload{.symbol = "shop::filter<float>", .buffer = "in", .bytes = 4}},
                {.what = ConstantUpload{.symbol = "shop::plain", .buffer = "in", .bytes = 4}},
                {.what = Launch{.entry = kWeigh,
                                .grid = {},
                                .block = {},
                                .arguments = {pointer_to("in"), pointer_to("out"),
                                              value_of("shop::window<float, 3>", Window{}), value(std::int64_t{1})}}}}};
}

std::vector<Argument>& arguments(Plan& plan) {
  return std::get<Launch>(plan.steps.back().what).arguments;
}

TEST_F(Compiled, ConstantsHaveSymbolsThatTheCacheKeeps) {
  const Program program = program_of(weighing_plan(), "shop.cuh");
  EXPECT_THAT(program.constants, ElementsAre("shop::filter<float>", "shop::plain"));
  const CompiledProgram made = built(program);
  EXPECT_EQ(made.constants.size(), 2U);
  EXPECT_THAT(made.constants.at("shop::filter<float>"), HasSubstr("filter"));
  EXPECT_EQ(nlohmann::json(made).get<CompiledProgram>().constants, made.constants);
  nlohmann::json old = made;
  old.erase("constants");
  for (auto& [entry, instance] : old.at("instances").items()) instance.erase("parameter_bytes");
  EXPECT_TRUE(old.get<CompiledProgram>().constants.empty());
  EXPECT_EQ(argument_mismatch(weighing_plan(), old.get<CompiledProgram>()),
            "the program does not hold the constant shop::filter<float>");
}

TEST_F(Compiled, AMissingConstantIsACompilerError) {
  const Cubin cubin =
      nvrtc_->compile(kTree, {{.source = "shop.cuh", .entries = {}, .constants = {"shop::sieve"}}}, "sm_75");
  EXPECT_FALSE(cubin.ok);
  EXPECT_THAT(cubin.log, HasSubstr("sieve"));
}

TEST_F(Compiled, SignaturesShowMismatches) {
  for (const char* target : {"sm_75", "sm_90", "sm_120"}) {
    const CompiledProgram made = built(program_of(weighing_plan(), "shop.cuh"), target);
    EXPECT_THAT(made.instances.at(kWeigh).parameter_bytes, ElementsAre(8, 8, 16, 8));
    EXPECT_EQ(argument_mismatch(weighing_plan(), made), "");
    const auto mismatch = [&](const auto& change) {
      Plan plan = weighing_plan();
      change(plan);
      return argument_mismatch(plan, made);
    };
    EXPECT_THAT(mismatch([](Plan& plan) { arguments(plan).push_back(value(1)); }), HasSubstr("takes 4 arguments"));
    EXPECT_THAT(mismatch([](Plan& plan) { arguments(plan).pop_back(); }), HasSubstr("the plan passes 3"));
    EXPECT_THAT(mismatch([](Plan& plan) { arguments(plan)[3] = value(1); }),
                HasSubstr("is long long, the plan passes int"));
    EXPECT_THAT(mismatch([](Plan& plan) { plan.buffers[1].role = Role::in; }),
                HasSubstr("is float*, the plan passes const float*, the buffer out"));
    EXPECT_THAT(mismatch([](Plan& plan) { plan.buffers[0].type = ElementType::f64; }), HasSubstr("argument 1 of"));
    EXPECT_THAT(mismatch([](Plan& plan) { arguments(plan)[2] = value_of("shop::window<float, 3>", 1.0); }),
                HasSubstr("argument 3 of " + kWeigh + " has 16 bytes, the plan passes 8"));
    EXPECT_THAT(mismatch([](Plan& plan) { arguments(plan)[2] = value_of("shop::window<float, 4>", Window{}); }),
                HasSubstr("is shop::window<float, 3>"));
  }
}

TEST_F(Compiled, AKernelWithoutAMangledNameIsCheckedByTheSizesOfItsParameters) {
  const auto mismatch = [&](std::vector<Argument> passed) {
    const Plan plan{.buffers = {{.name = "out", .role = Role::out}},
                    .steps = {{.what = Launch{.entry = "unmangled", .grid = {}, .block = {}, .arguments = passed}}}};
    return argument_mismatch(plan, built(program_of(plan, "shop.cuh")));
  };
  EXPECT_EQ(mismatch({pointer_to("out"), value(1.0)}), "");
  EXPECT_EQ(mismatch({pointer_to("out")}), "unmangled takes 2 arguments, the plan passes 1");
  EXPECT_EQ(mismatch({pointer_to("out"), value(1.0F)}), "argument 2 of unmangled has 8 bytes, the plan passes 4");
}

TEST_F(Compiled, HalvesComeFromTheToolkitsHeaders) {
  const Plan plan{
      .buffers = {{.name = "in", .type = ElementType::f16},
                  {.name = "out", .role = Role::out, .type = ElementType::bf16}},
      .steps = {{.what = Launch{
                     .entry = "halve", .grid = {}, .block = {}, .arguments = {pointer_to("in"), pointer_to("out")}}}}};
  EXPECT_EQ(argument_mismatch(plan, built(program_of(plan, "half.cuh"))), "");
}

/// A tree with that file, which includes device headers, and these.
SourceTree tree_with(const std::string& name, const std::string& text, const std::vector<std::string>& headers) {
  SourceTree tree{{name, text}};
  for (const std::string& header : headers) {
    const std::string path = "kernels/runtime/" + header;
    std::ifstream file(std::string(WARPWRIGHT_SOURCE_DIR) + "/" + path);
    tree[path] = std::string(std::istreambuf_iterator<char>(file), {});
    EXPECT_FALSE(tree[path].empty()) << path;
  }
  return tree;
}

TEST_F(Compiled, BulkCopiesAndTheirBarriersNeedSm90AndSaySo) {
  const SourceTree tree = tree_with("ring.cuh", "#include \"kernels/runtime/device.cuh\"\n" + simulator::ring_kernel,
                                    {"device.cuh", "async.cuh", "common/standard_names.cuh", "common/tensor_map.cuh"});
  const Program program{.source = "ring.cuh", .entries = {"ring<3>"}};
  const Cubin cubin = nvrtc_->compile(tree, {program}, "sm_90");
  EXPECT_TRUE(cubin.ok) << cubin.log;
  const Cubin older = nvrtc_->compile(tree, {program}, "sm_80");
  EXPECT_FALSE(older.ok);
  EXPECT_THAT(older.log, HasSubstr("bulk copies need sm_90"));
}

TEST_F(Compiled, FunctionsOfEarlyLaunchesExistWithAndWithoutTheirHeader) {
  const std::string kernel =
      "__global__ void early(int* a) {\n"
      "  cudaTriggerProgrammaticLaunchCompletion();\n  cudaGridDependencySynchronize();\n  a[threadIdx.x] = 1;\n}\n";
  for (const std::string header : {"", "#include <cuda_device_runtime_api.h>\n"}) {
    const SourceTree tree =
        tree_with("early.cuh", "#include \"kernels/runtime/device.cuh\"\n" + header + kernel,
                  {"device.cuh", "async.cuh", "common/standard_names.cuh", "common/tensor_map.cuh"});
    for (const char* target : {"sm_80", "sm_90"}) {
      if (!header.empty() && std::string(target) == "sm_80") continue;  // the header's need sm_90
      const Cubin cubin = nvrtc_->compile(tree, {{.source = "early.cuh", .entries = {"early"}}}, target);
      EXPECT_TRUE(cubin.ok) << target << " " << header << cubin.log;
    }
  }
}

TEST_F(Compiled, ProductsByWarpgroupsAreCompiledForExactlySm90) {
  const std::string text = R"(#include "kernels/runtime/warpgroup.cuh"
template <int N, class A>
__global__ void product(const warpwright::matrix_descriptor* of, float* to) {
  float sums[N / 2];
  const unsigned of_lane[4] = {1, 2, 3, 4};
  warpwright::take_registers<232>();
  warpwright::products_fence(sums);
  warpwright::multiply_async<N, A>(sums, of[0], of[1]);
  warpwright::multiply_add_async<N, A>(sums, of_lane, of[1]);
  warpwright::products_commit();
  warpwright::products_wait<0>(sums);
  for (int i = 0; i < N / 2; ++i) to[i * 128 + threadIdx.x] = sums[i];
})";
  const SourceTree tree =
      tree_with("product.cuh", text,
                {"device.cuh", "async.cuh", "warpgroup.cuh", "common/standard_names.cuh", "common/half.cuh",
                 "common/host_device.cuh", "common/matrix_fragments.cuh", "common/shared_matrices.cuh",
                 "common/tensor_map.cuh", "common/warpgroup_registers.cuh"});
  Program program{.source = "product.cuh"};
  for (int n = 8; n <= 256; n += 8)
    program.entries.push_back("product<" + std::to_string(n) + ", warpwright::" + (n % 16 == 0 ? "b" : "") +
                              "float16>");
  const Cubin cubin = nvrtc_->compile(tree, {program}, "sm_90");
  EXPECT_TRUE(cubin.ok) << cubin.log;
  EXPECT_THAT(cubin.log, HasSubstr("for 'sm_90a'"));
  EXPECT_THAT(cubin.log, testing::Not(HasSubstr("serialized")));
  for (const std::string target : {"sm_80", "sm_100"}) {
    const Cubin other = nvrtc_->compile(tree, {program}, target);
    EXPECT_FALSE(other.ok);
    EXPECT_THAT(other.log, HasSubstr("products by warpgroups (wgmma) need sm_90, compiled as sm_90a"));
  }
}

TEST(Programs, AreForExactlyOneArchitectureIfTheirTextHasItsInstructions) {
  const auto is_exact = [](const std::string& text) {
    return compile_kind({{"a.cuh", text}, {"b.cuh", "#include \"a.cuh\"\n"}}, {.source = "b.cuh"})
        .needs_exact_architecture;
  };
  EXPECT_TRUE(is_exact("asm volatile(\"wgmma.fence.sync.aligned;\");"));
  EXPECT_TRUE(is_exact("asm volatile(\"setmaxnreg.inc.sync.aligned.u32 232;\");"));
  EXPECT_FALSE(is_exact("asm volatile(\"mma.sync.aligned\");"));
}

TEST_F(Compiled, WhatDoesNotCompileIsFoundQuicklyAndTheRestIsCompiledAsEver) {
  const auto compile = [&](const std::string& text, bool try_quickly) {
    return nvrtc_->compile({{"large.cuh", text}}, {{.source = "large.cuh", .entries = {"large"}}}, "sm_75",
                           try_quickly);
  };
  const auto text = [](const std::string& floats) {
    return "extern \"C\" __global__ void large(float* out, int n) { __shared__ float all[" + floats +
           "]; for (int i = 0; i < 64; ++i) all[(threadIdx.x + i) % n] += out[i]; out[0] = all[n]; }";
  };
  const Cubin too_large = compile(text("20000"), true);
  EXPECT_TRUE(!too_large.ok && too_large.diagnosed);
  EXPECT_THAT(too_large.log, HasSubstr("80000 bytes smem"));
  EXPECT_FALSE(compile(text("20000"), false).ok);
  EXPECT_THAT(compile("nonsense", true).log, HasSubstr("nonsense"));
  const Cubin quick = compile(text("2000"), true), plain = compile(text("2000"), false);
  ASSERT_TRUE(quick.ok && plain.ok) << quick.log << plain.log;
  EXPECT_EQ(quick.instances.at(0).at("large").code_hash, plain.instances.at(0).at("large").code_hash);
}

TEST(Programs, OfOneFileAreUnited) {
  Program all{.source = "shop.cuh", .entries = {"a"}, .constants = {"x"}};
  all += {.source = "shop.cuh", .entries = {"a", "b"}, .constants = {"x", "y"}, .with = {"more.cuh"}};
  EXPECT_THAT(all.entries, ElementsAre("a", "b"));
  EXPECT_THAT(all.constants, ElementsAre("x", "y"));
  EXPECT_THAT(all.with, ElementsAre("more.cuh"));
  EXPECT_THROW(all += Program{.source = "other.cuh"}, std::invalid_argument);
}

TEST(Programs, HoldHalvesInTheRuntimesOwnTypes) {
  EXPECT_EQ(storage_name(ElementType::f16), "warpwright::float16");
  EXPECT_EQ(storage_name(ElementType::bf16), "warpwright::bfloat16");
  EXPECT_EQ(storage_name(ElementType::i16), "short");
}

}  // namespace
}  // namespace warpwright::gpu
