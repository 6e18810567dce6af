// Tests of jobs whose signed arithmetic overflows on purpose.
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

}  // namespace
}  // namespace warpwright::conformance
