// Tests of jobs that use what the simulator does not model: it says so and gives no verdict; for a GPU they compile.
#include <gmock/gmock.h>

#include "conformance/checks/problem_setup.hpp"
#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kText = R"raw(
__global__ void sampled(cudaTextureObject_t image, float* out, int rows, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < columns) out[y * columns + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}
__global__ void plain(const float* image, float* out, int rows, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < columns) out[y * columns + x] = image[y * columns + x];
}
)raw";

constexpr const char* kJob = R"raw({"extents": ["rows", "columns"],
  "buffers": {"image": {"role": "in", "type": "float", "count": "rows * columns"},
              "out": {"role": "out", "type": "float", "count": "rows * columns"}},
  "steps": {"kernel": "sampled", "arguments": [{"texture": "image", "width": "columns", "height": "rows"}, "out", "rows", "columns"],
            "grid": ["ceil_div(columns, 32)", "rows"], "block": 32},
  "oracle": {"kernel": "plain", "grid": ["ceil_div(columns, 32)", "rows"], "block": 32},
  "shapes": [[60, 61]], "bound": "bits"})raw";

std::string with(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

using UnmodelledJobs = CheckedJobs;

TEST_F(UnmodelledJobs, ATextureFetchIsReportedAsNotModelled) {
  const PropertyReport report = checked(kJob, kText);
  EXPECT_EQ(report.verdict(), Verdict::not_modelled);
  EXPECT_THAT(report.not_modelled, AllOf(HasSubstr("no CPU model: tex2D at "), HasSubstr("kernel.cu:4")));
}

TEST_F(UnmodelledJobs, AHeaderOfCudaThatTheSimulatorDoesNotHaveIsReportedAsNotModelled) {
  const std::string job = R"raw({"extents": ["n"], "shapes": [[64]], "bound": "equal",
        "buffers": {"x": {"role": "in", "type": "float", "count": "n"},
                    "y": {"role": "out", "type": "unsigned char", "count": "n"}},
        "steps": {"kernel": "converted", "grid": "ceil_div(n, 64)", "block": 64}})raw";
  const std::string text = R"raw(#include <cuda_fp6.h>
__global__ void converted(const float* x, unsigned char* y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) y[i] = __nv_fp6_e3m2(x[i]).__x;
}
)raw";
  const PropertyReport report = checked(job, text);
  EXPECT_EQ(report.verdict(), Verdict::not_modelled);
  EXPECT_EQ(report.not_modelled, "needs <cuda_fp6.h>, which the simulator does not have");
  const std::string of_8_bits = with(with(text, "fp6.h", "fp8.h"), "fp6_e3m2", "fp8_e4m3");
  const PropertyReport narrowed = checked(job, of_8_bits);
  EXPECT_EQ(narrowed.verdict(), Verdict::passed) << narrowed.not_modelled << narrowed.failure.detail;
  const PropertyReport widened =
      checked(with(with(job, R"("type": "float")", R"("type": "__nv_fp8_e5m2")"), R"("out", "type": "unsigned char")",
                   R"("out", "type": "float")"),
              with(with(of_8_bits, "const float* x, unsigned char* y", "const __nv_fp8_e5m2* x, float* y"),
                   "__nv_fp8_e4m3(x[i]).__x", "float(x[i])"));
  EXPECT_EQ(widened.verdict(), Verdict::passed) << widened.not_modelled << widened.failure.detail;
}

TEST_F(UnmodelledJobs, ATextThatLacksAHeaderNeedsIt) {
  const std::string job = R"raw({"extents": ["n"], "shapes": [[64]], "bound": "equal",
        "buffers": {"x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
        "steps": {"kernel": "twice", "grid": "ceil_div(n, 64)", "block": 64}})raw";
  const auto text = [](const std::string& include, const std::string& value) {
    return include +
           "\n__global__ void twice(const float* x, float* y, int n) {\n  const int i = blockIdx.x * 64 + "
           "threadIdx.x;\n  if (i < n) y[i] = " +
           value + ";\n}\n";
  };
  for (const std::string include : {"#include \"helpers/twice.h\"", "#include <helpers/twice.h>"}) {
    const PropertyReport report = checked(job, text(include, "helpers::twice(x[i])"));
    EXPECT_EQ(report.verdict(), Verdict::not_modelled) << include;
    EXPECT_THAT(report.not_modelled,
                AllOf(HasSubstr("needs helpers/twice.h, which was not found: "), HasSubstr("kernel.cu:4:21: "),
                      HasSubstr("'helpers' has not been declared")));
    EXPECT_EQ(checked(job, text(include, "2 * x[i]")).verdict(), Verdict::passed) << "it needs nothing from there";
  }
  // With headers of C++ and of the system, the mistake is in the text.
  for (const std::string include : {"", "#include <vector>", "#include <cuda_runtime.h>", "#include <stdio.h>"})
    EXPECT_EQ(checked(job, text(include, "helpers::twice(x[i])")).verdict(), Verdict::not_compiled) << include;
}

TEST_F(UnmodelledJobs, AnOracleWithATextureIsReportedAsNotModelled) {
  const std::string grid = R"raw({"kernel": "plain", "grid": ["ceil_div(columns, 32)", "rows"], "block": 32})raw";
  const PropertyReport by_default = checked(with(kJob, grid, R"raw("default")raw"), kText);
  EXPECT_EQ(by_default.verdict(), Verdict::not_modelled);
  EXPECT_THAT(by_default.not_modelled, HasSubstr("no CPU model: tex2D"));
  // The simulator models the kernel, but not its oracle.
  const std::string texture = R"raw({"texture": "image", "width": "columns", "height": "rows"})raw";
  std::string turned = with(kJob, R"raw("kernel": "sampled", "arguments": [)raw" + texture,
                            R"raw("kernel": "LATER", "arguments": ["image")raw");
  turned = with(turned, R"raw("kernel": "plain")raw",
                R"raw("kernel": "sampled", "arguments": [)raw" + texture + R"raw(, "out", "rows", "columns"])raw");
  turned = with(turned, "LATER", "plain");
  const PropertyReport right = checked(turned, kText);
  EXPECT_EQ(right.verdict(), Verdict::not_modelled);
  EXPECT_THAT(right.not_modelled, AllOf(HasSubstr("the oracle of job:kernel has no answer: no CPU model: tex2D"),
                                        HasSubstr("kernel.cu:4")));
  const PropertyReport wrong = checked(turned, with(kText, "= image[", "= image[1 + "));
  EXPECT_EQ(wrong.verdict(), Verdict::failed) << "what is found in the kernel itself is found all the same";
  EXPECT_THAT(wrong.failure.detail, HasSubstr("out of bounds"));
}

TEST_F(UnmodelledJobs, ATextThatBranchesOnTheCompilerIsTwoTexts) {
  const std::string job = R"raw({"extents": ["n"], "shapes": [4096], "bound": "equal",
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": "n"}},
    "steps": {"kernel": "copied", "grid": "ceil_div(n, 64)", "block": 64}})raw";
  const auto text_with = [](const std::string& condition, const std::string& other) {
    return condition + "\n" + other + R"raw(
#endif
__global__ void copied(const int* in, int* out, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
#ifdef QUICK
  return;
#endif
  if (i < n) out[i] = in[i];
}
)raw";
  };
  for (const std::string condition : {"#ifdef __CUDACC_RTC__", "#if defined(__NVCC__) && 1", "#ifndef __GNUC__",
                                      "#if !defined(WARPWRIGHT_HOST_TARGET)", "#if 0\n#elif defined(__clang__)",
                                      "#ifdef __x86_64__", "#if defined(__linux__)", "#ifdef __SIZEOF_INT128__",
                                      "#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__", "#ifdef __EDG__"}) {
    const PropertyReport report = checked(job, text_with(condition, "#define QUICK"), 5);
    EXPECT_EQ(report.verdict(), Verdict::not_modelled) << condition;
    EXPECT_THAT(report.not_modelled, AllOf(HasSubstr("two texts: #"), HasSubstr("kernel.cu:"))) << condition;
  }
  // These are the same in both, or nothing but includes depends on them.
  for (const std::string condition : {"#if __CUDA_ARCH__ >= 2000", "#ifndef __CUDACC__", "#if __CUDACC_VER_MAJOR__ < 9",
                                      "#ifdef __INTELLISENSE__", "#if __cplusplus < 201703L", "#ifndef __LP64__"})
    EXPECT_EQ(checked(job, text_with(condition, "#define QUICK"), 5).verdict(), Verdict::passed) << condition;
  EXPECT_EQ(checked(job, text_with("#ifndef __CUDACC_RTC__", "#include <cstdio>"), 5).verdict(), Verdict::passed);
}

TEST_F(UnmodelledJobs, TextureKernelsCompileForAGpuAndFitTheirSignature) {
  if (!compiler_.toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler_.toolchain().nvrtc_error;
  write("kernel.cu", kText);
  const job::Jobs jobs(catalogue(), {write("kernel.json", kJob)});
  const Catalogue& all = jobs.catalogue();
  const Kernel& kernel = all.kernel("job:kernel/sampled");
  const Problem problem = make_problem(all.pattern("job:kernel"), {ElementType::f32}, {}, {60, 61});
  const Plan plan = kernel.plan(kernel.default_point, problem, host_device());
  worker::Compiler compiler(pool_, cache_, all.sources());
  const CompiledProgram built = compiler.compile_one("sm_90", program_of(plan, kernel.source));
  EXPECT_TRUE(built.ok) << built.log;
  EXPECT_EQ(argument_mismatch(plan, built), "");
}

}  // namespace
}  // namespace warpwright::conformance
