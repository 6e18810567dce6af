// Tests of jobs whose shapes are too large to run: some blocks of each launch run, over sparse memory.
#include <gmock/gmock.h>

#include "conformance/properties/remarks.hpp"
#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class LargeJobs : public CheckedJobs {
 protected:
  /// A kernel of rows x cols, of which each thread runs the body for one place, `at` of which is its index.
  PropertyReport of_shape(const std::string& shape, const std::string& index, const std::string& grid_y) {
    return checked(R"raw({"extents": ["rows", "cols"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "rows * cols"},
                "out": {"role": "out", "type": "float", "count": "rows * cols"}},
    "steps": {"kernel": "doubled", "grid": ["ceil_div(cols, 32)", ")raw" +
                       grid_y + R"raw("], "block": [32, 8]},
    "shapes": [)raw" + shape +
                       R"raw(],
    "oracle": {"kernel": "plain", "grid": "ceil_div(rows * cols, 64)", "block": 64}, "bound": "equal"})raw",
                   R"raw(
__global__ void doubled(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 8 + threadIdx.y; row < rows; row += gridDim.y * 8) {
    if (col >= cols) return;
    const auto at = )raw" +
                       index + R"raw(;
    out[at] = 2 * in[at];
  }
}
__global__ void plain(const float* in, float* out, int rows, int cols) {
  const long long at = blockIdx.x * 64LL + threadIdx.x;
  if (at < static_cast<long long>(rows) * cols) out[at] = 2 * in[at];
}
)raw",
                   8);
  }
};

TEST_F(LargeJobs, AProductInIntIsFoundWhereOnlyATunedShapeNeedsMore) {
  const PropertyReport report = of_shape("[50000, 50000]", "row * cols + col", "ceil_div(rows, 8)");
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.failure.finding, FindingKind::signed_overflow) << report.failure.detail;
  EXPECT_THAT(report.failure.detail,
              AllOf(HasSubstr("kernel.cu:6:"), HasSubstr(" * 50000 is "), HasSubstr("it causes a load")));
  EXPECT_THAT(repro_line(*report.counterexample), AllOf(HasSubstr("50000x50000"), HasSubstr("check=sampled_blocks")));
}

TEST_F(LargeJobs, AProductIn64BitsIsRightAndTheReportSaysWhatWasChecked) {
  const PropertyReport report =
      of_shape("[50000, 50000]", "static_cast<long long>(row) * cols + col", "ceil_div(rows, 8)");
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_EQ(report.cases, 8) << "a sampled shape is no case";
  EXPECT_THAT(remarks_on(report), Contains(HasSubstr("of shape 50000x50000, which is too large to run, some blocks")));
}

TEST_F(LargeJobs, BlocksThatSkipTheirPartAreFoundWhereOnlyATunedShapeHasThem) {
  const auto of_text = [this](const std::string& skips, const std::string& each) {
    return checked(R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "n"}, "out": {"role": "out", "type": "float", "count": "n"}},
    "steps": {"kernel": "doubled", "arguments": ["in", "out", "n"], "grid": "ceil_div(n, 256 * )raw" +
                       each + R"raw()", "block": 256}, "shapes": ["2^31"], "bound": "equal",
    "oracle": {"kernel": "plain", "arguments": ["in", "out", "n"], "grid": "ceil_div(n, 256)", "block": 256}})raw",
                   R"raw(
__global__ void doubled(const float* in, float* out, long long n) {
  )raw" + skips +
                       R"raw(
  for (int k = 0; k < )raw" +
                       each + R"raw(; ++k) {
    const long long at = (blockIdx.x * )raw" +
                       each + R"raw(LL + k) * 256 + threadIdx.x;
    if (at < n) out[at] = 2 * in[at];
  }
}
__global__ void plain(const float* in, float* out, long long n) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at < n) out[at] = 2 * in[at];
}
)raw",
                   8);
  };
  for (const std::string skips :
       {"if (n > 4000000 && blockIdx.x % 2 == 1) return;", "if (n > 4000000 && blockIdx.x / 64 % 2 == 0) return;",
        "if (n > 4000000 && blockIdx.x > gridDim.x / 2) return;"}) {
    const PropertyReport report = of_text(skips, "1");
    ASSERT_FALSE(report.ok()) << skips;
    EXPECT_THAT(report.failure.detail,
                AllOf(HasSubstr("output 'out' is incomplete: "),
                      HasSubstr(" of 32 sampled blocks, spread over a grid of 8388608, store nothing to it")));
    EXPECT_THAT(repro_line(*report.counterexample), HasSubstr("check=sampled_blocks"));
  }
  for (const std::string each : {"1", "4"}) EXPECT_TRUE(of_text("", each).ok());
  // Half of the blocks do the work of the others too.
  EXPECT_TRUE(
      of_text("if (blockIdx.x % 2 == 1) return;\n  if (threadIdx.x < 256)\n  for (long long at = blockIdx.x * 256LL "
              "+ threadIdx.x; at < n && at < blockIdx.x * 256LL + 512; at += 256) out[at] = 2 * in[at];\n  return;",
              "1")
          .ok());
}

TEST_F(LargeJobs, AGridAtItsLimitIsSampledToo) {
  const PropertyReport report =
      of_shape("[600000, 600]", "static_cast<long long>(row) * cols + col", "min(ceil_div(rows, 8), 65535)");
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_THAT(remarks_on(report), Contains(HasSubstr("of shape 600000x600, which is too large to run, some blocks")));
}

TEST_F(LargeJobs, AGridCutOffAtItsLimitLeavesAPartOfTheOutput) {
  const auto of_grid = [this](const std::string& last) {
    return checked(R"raw({"extents": ["rows", "cols"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "rows * cols"},
                "out": {"role": "out", "type": "float", "count": "rows * cols"}},
    "steps": {"kernel": "doubled", "grid": ["ceil_div(cols, 32)", "min(rows, 65535)"], "block": 32},
    "shapes": [[70000, 640]],
    "oracle": {"kernel": "plain", "grid": "ceil_div(rows * cols, 64)", "block": 64}, "bound": "equal"})raw",
                   R"raw(
__global__ void doubled(const float* in, float* out, long long rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (long long row = blockIdx.y; row < )raw" +
                       last + R"raw(; row += gridDim.y)
    if (col < cols) out[row * cols + col] = 2 * in[row * cols + col];
}
__global__ void plain(const float* in, float* out, int rows, int cols) {
  const long long at = blockIdx.x * 64LL + threadIdx.x;
  if (at < static_cast<long long>(rows) * cols) out[at] = 2 * in[at];
}
)raw",
                   8);
  };
  const PropertyReport cut = of_grid("blockIdx.y + 1LL");
  ASSERT_FALSE(cut.ok());
  EXPECT_THAT(cut.failure.detail,
              AllOf(HasSubstr("output 'out' is incomplete: a block stores 128 bytes of it at most"),
                    HasSubstr("the grid has 1310700 blocks; all of them together store 93 % of it")));
  const PropertyReport whole = of_grid("rows");
  EXPECT_TRUE(whole.ok()) << whole.failure.detail;
}

TEST_F(LargeJobs, AnIndexOf32BitsThatWrapsIsFound) {
  const auto of_indices = [this](const std::string& store, const std::string& load) {
    return checked(R"raw({"extents": ["rows", "cols"],
    "buffers": {"in": {"role": "in", "type": "unsigned char", "count": "rows * cols"},
                "out": {"role": "out", "type": "unsigned char", "count": "rows * cols"}},
    "steps": {"kernel": "next", "grid": ["ceil_div(cols, 256)", "rows"], "block": 256}, "shapes": [[60000, 72000]],
    "oracle": {"kernel": "plain", "grid": "ceil_div(rows * cols, 64)", "block": 64}, "bound": "equal"})raw",
                   R"raw(
__global__ void next(const unsigned char* in, unsigned char* out, unsigned rows, unsigned cols) {
  const unsigned col = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
  if (col < cols) out[)raw" +
                       store + "] = in[" + load + R"raw(] + 1;
}
__global__ void plain(const unsigned char* in, unsigned char* out, int rows, int cols) {
  const long long at = blockIdx.x * 64LL + threadIdx.x;
  if (at < static_cast<long long>(rows) * cols) out[at] = in[at] + 1;
}
)raw",
                   8);
  };
  const std::string wide = "static_cast<unsigned long long>(row) * cols + col", narrow = "row * cols + col";
  const PropertyReport store = of_indices(narrow, wide);
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(store.failure.detail,
              AllOf(HasSubstr("an index of 32 bits wraps: block ("), HasSubstr(" stores to 'out' from element "),
                    HasSubstr("where the first blocks go on evenly to element ")));
  const PropertyReport load = of_indices(wide, narrow);
  ASSERT_FALSE(load.ok());
  EXPECT_THAT(load.failure.detail, HasSubstr("loads from 'in' from element "));
  const PropertyReport right = of_indices(wide, wide);
  EXPECT_TRUE(right.ok()) << right.failure.detail;
}

TEST_F(LargeJobs, ASizeThatOverflowsIsAWarningThoughNoAccessIsWrong) {
  const auto of_size = [&](const std::string& type) {
    return checked(R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int8_t", "count": "4 * n"},
                "out": {"role": "out", "type": "int8_t", "count": "4 * n"}},
    "steps": {"kernel": "copied", "grid": "min(ceil_div(n, 16), 64)", "block": 64},
    "shapes": ["2^29"], "oracle": {"kernel": "plain", "grid": "ceil_div(n, 16)", "block": 64}})raw",
                   R"raw(
__global__ void copied(const signed char* in, signed char* out, int n) {
  const )raw" + type + R"raw( size = n;
  for (unsigned i = blockIdx.x * 64 + threadIdx.x; i < 4 * size; i += gridDim.x * 64) out[i] = in[i];
}
__global__ void plain(const signed char* in, signed char* out, int n) {
  const long long i = blockIdx.x * 64LL + threadIdx.x;
  if (i < 4LL * n) out[i] = in[i];
}
)raw",
                   4);
  };
  const PropertyReport wrong = of_size("int");
  EXPECT_TRUE(wrong.ok()) << wrong.failure.detail;
  EXPECT_THAT(wrong.warnings(),
              Contains(AllOf(HasSubstr("kernel.cu:4:"), HasSubstr(" is 2147483648, which does not fit"),
                             HasSubstr("at shape 536870912 only"))));
  const PropertyReport right = of_size("unsigned");
  EXPECT_TRUE(right.ok()) << right.failure.detail;
  EXPECT_THAT(right.warnings(), Not(Contains(HasSubstr("536870912"))));
}

TEST_F(LargeJobs, CasesAsLargeAsOneThatTookLongAreLeftOutAndThatIsSaid) {
  constexpr const char* kJob = R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": "n"}},
    "steps": {"kernel": "long_one", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [1000],
    "oracle": {"kernel": "plain", "grid": "ceil_div(n, 64)", "block": 64}})raw";
  constexpr const char* kText = R"raw(
__global__ void long_one(const int* in, int* out, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  unsigned sum = in[i];
  for (int k = 0; k < 1000; ++k) sum ^= sum << 1;
  out[i] = sum;
}
__global__ void plain(const int* in, int* out, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  unsigned sum = in[i];
  for (int k = 0; k < 1000; ++k) sum ^= sum << 1;
  out[i] = sum;
}
)raw";
  EXPECT_THAT(checked(kJob, kText, 20, 0).warnings(), Not(Contains(HasSubstr("left out"))));
  longest_seconds_ = 2e-3;
  const PropertyReport report = checked(kJob, kText, 20, 0);
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_GT(report.left_out, 0);
  EXPECT_GT(report.cases, 2);
  EXPECT_EQ(report.cases + report.left_out + report.too_long, 20);
  EXPECT_THAT(report.warnings(), Contains(HasSubstr(" drawn cases are left out")));
}

TEST_F(LargeJobs, BlocksThatTouchTooMuchAreGivenUpSoon) {
  const PropertyReport report = checked(R"raw({"extents": ["rows", "n"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "rows * n"},
                "out": {"role": "out", "type": "float", "count": "rows"}},
    "steps": {"kernel": "largest", "grid": "rows", "block": 32}, "shapes": ["4x1000000000"], "bound": "equal",
    "oracle": {"kernel": "plain", "grid": "rows", "block": 1}})raw",
                                        R"raw(
__global__ void largest(const float* in, float* out, long long n) {
  float most = in[blockIdx.x * n];
  for (long long i = threadIdx.x; i < n; i += 32) most = fmaxf(most, in[blockIdx.x * n + i]);
  for (int lanes = 16; lanes > 0; lanes /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, lanes));
  if (threadIdx.x == 0) out[blockIdx.x] = most;
}
__global__ void plain(const float* in, float* out, long long n) {
  float most = in[blockIdx.x * n];
  for (long long i = 0; i < n; ++i) most = fmaxf(most, in[blockIdx.x * n + i]);
  out[blockIdx.x] = most;
}
)raw",
                                        4);
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_THAT(remarks_on(report), Contains(AllOf(HasSubstr("shape 4x1000000000 is too large to run: its blocks cannot "
                                                           "be sampled: "),
                                                 HasSubstr("touch too much memory"))));
}

TEST_F(LargeJobs, BlocksThatNeedOthersAreNotSampledAndTheReasonIsSaid) {
  const PropertyReport report = checked(R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": "n"},
                "sums": {"role": "scratch", "type": "int", "count": "ceil_div(n, 64)"}},
    "steps": [{"kernel": "sum", "arguments": ["in", "sums", "n"], "grid": "ceil_div(n, 64)", "block": 64},
              {"kernel": "add", "arguments": ["sums", "out", "n"], "grid": "ceil_div(n, 64)", "block": 64}],
    "shapes": ["2^31"], "oracle": {"kernel": "plain", "grid": "ceil_div(n, 64)", "block": 64,
                                   "arguments": ["in", "out", "n"]}, "bound": "equal"})raw",
                                        R"raw(
__global__ void sum(const int* in, int* sums, long long n) {
  if (threadIdx.x == 0) sums[blockIdx.x] = in[blockIdx.x * 64LL] & 1023;
}
__global__ void add(const int* sums, int* out, long long n) {
  const long long at = blockIdx.x * 64LL + threadIdx.x;
  if (at < n) out[at] = sums[blockIdx.x];
}
__global__ void plain(const int* in, int* out, long long n) {
  const long long at = blockIdx.x * 64LL + threadIdx.x;
  if (at < n) out[at] = in[blockIdx.x * 64LL] & 1023;
}
)raw",
                                        8);
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_THAT(remarks_on(report), Contains(AllOf(HasSubstr("shape 2147483648 is too large to run: its blocks cannot be "
                                                           "sampled: "),
                                                 HasSubstr("reads what other blocks write"))));
}

}  // namespace
}  // namespace warpwright::conformance
