// Tests of jobs whose arithmetic is not the same everywhere: it overflows, or rounds once where others round twice.
#include <gmock/gmock.h>

#include "conformance/properties/remarks.hpp"
#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

class ArithmeticJobs : public CheckedJobs {};

TEST_F(ArithmeticJobs, OverflowWithAHintIfTheKernelPasses) {
  const PropertyReport report = checked(R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": "n"}},
    "steps": {"kernel": "hashed", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [1000],
    "oracle": {"kernel": "plain", "grid": "ceil_div(n, 64)", "block": 64}})raw",
                                        R"raw(
__global__ void hashed(const int* in, int* out, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = (in[i] | 1) * 1103515245 + 12345;
}
__global__ void plain(const int* in, int* out, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = (in[i] | 1) * 1103515245u + 12345u;
}
)raw",
                                        6);
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  ASSERT_EQ(report.arithmetic.size(), 1U) << "once for its line";
  EXPECT_GT(report.arithmetic[0].cases, 1);
  EXPECT_THAT(hints_on(report), Contains(AllOf(HasSubstr("kernel.cu:4:"), HasSubstr("* 1103515245 is"),
                                               HasSubstr(" of 6 cases; no finding"))));
}

TEST_F(ArithmeticJobs, RoundProductsAndSumsOnceInSomeCases) {
  if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "this CPU has no fused multiply-add";
  // A sign that is right only if equal products cancel.
  const auto report_of = [this](const std::string& area) {
    return checked(
        R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "2 * n"}, "out": {"role": "out", "type": "int", "count": "n"}},
    "steps": {"kernel": "turns", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096],
    "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]},
    "inputs": ["uniform"], "bound": "equal"})raw",
        "__global__ void turns(const float* in, int* out, int n) {\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
        "  const float x = in[i], y = in[n + i];\n  const float area = " +
            area +
            ";\n  out[i] = area > 0 ? 1 : area < 0 ? -1 : 0;\n}\n"
            "void oracle(const float* in, int* out, int n) {\n  for (int i = 0; i < n; ++i) out[i] = 0;\n}\n",
        30);
  };
  const PropertyReport wrong = report_of("x * y - y * x");
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.failure.detail, HasSubstr("products and sums were rounded together"));
  const PropertyReport right = report_of("__fmul_rn(x, y) - __fmul_rn(y, x)");
  EXPECT_TRUE(right.ok()) << right.failure.detail;
}

}  // namespace
}  // namespace warpwright::conformance
