// Tests of the sizes that checks draw for jobs: wrong kernels that only some numbers of blocks reveal, each beside a
// right one.
#include <gmock/gmock.h>

#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;

class JobSizes : public CheckedJobs {
 protected:
  static std::string replaced(std::string text, const std::string& part, const std::string& with) {
    const auto at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), with);
  }

  PropertyReport of_sum(const std::string& text) { return checked(kSum, text, 40, 0); }

  static constexpr const char* kSum = R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "n", "data": {"range": [1, 9]}},
                "parts": {"role": "scratch", "type": "int", "count": "ceil_div(n, 1024)"},
                "out": {"role": "out", "type": "int", "count": "1"}},
    "steps": [{"kernel": "sums", "grid": "ceil_div(n, 1024)", "block": 1024, "arguments": ["in", "parts", "n"]},
              {"kernel": "total", "grid": 1, "block": 32, "arguments": ["parts", "out", "ceil_div(n, 1024)"]}],
    "shapes": ["2^20"],
    "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]}})raw";
  static constexpr const char* kSumText = R"raw(
__global__ void sums(const int* in, int* parts, int n) {
  __shared__ int of_thread[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  of_thread[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = 512; s > 0; s /= 2) {
    if (t < s) of_thread[t] += of_thread[t + s];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = of_thread[0];
}
__global__ void total(const int* parts, int* out, int count) {
  int sum = 0;
  for (int i = threadIdx.x; i < count; i += 32) sum += parts[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
  if (threadIdx.x == 0) *out = sum;
}
void oracle(const int* in, int* out, int n) {
  *out = 0;
  for (int i = 0; i < n; ++i) *out += in[i];
}
)raw";
};

TEST_F(JobSizes, HaveASecondAndAThirdBlockThoughThereIsOneResult) {
  const PropertyReport right = of_sum(kSumText);
  EXPECT_TRUE(right.ok()) << right.failure.detail;
  EXPECT_EQ(right.too_much + right.left_out + right.too_long, 0);
  for (const int blocks : {2, 3}) {
    const PropertyReport wrong =
        of_sum(replaced(kSumText, "for (int i = threadIdx.x; i < count;",
                        "for (int i = threadIdx.x; i < count && count != " + std::to_string(blocks) + ";"));
    ASSERT_FALSE(wrong.ok()) << blocks;
    EXPECT_THAT(wrong.counterexample->problem.shape.at(0), AllOf(Ge(1024 * (blocks - 1) + 1), Le(1024 * blocks)));
  }
}

TEST_F(JobSizes, HaveAsManyBlocksAsABoardHasMultiprocessors) {
  longest_seconds_ = 30;  // on a busy machine too
  max_steps_ = PropertyOptions{}.max_steps;
  const PropertyReport wrong = of_sum(replaced(kSumText, "i < count; i += 32", "i < min(count, 128); i += 32"));
  EXPECT_FALSE(wrong.ok()) << wrong.too_long << " too long, " << wrong.left_out << " left out, "
                           << wrong.accesses_per_step.value_or(0) << " accesses per step";
}

TEST_F(JobSizes, StatedStepsAreTakenAsTheyAre) {
  longest_seconds_ = 30;
  const std::string stated = replaced(kSum, R"("shapes":)", R"("work": {"steps": "4 * n"}, "shapes":)");
  const PropertyReport wrong =
      checked(stated, replaced(kSumText, "i < count; i += 32", "i < min(count, 128); i += 32"), 40, 0);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.accesses_per_step, 1);
}

// Two dimensions of blocks: each has a second and a third one.
TEST_F(JobSizes, HaveSeveralBlocksInEachDimension) {
  const std::string job = R"raw({"extents": ["rows", "columns"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "rows * columns", "data": {"range": [1, 9]}},
                "out": {"role": "inout", "type": "int", "count": "1", "data": {"range": [1, 2]}}},
    "steps": {"kernel": "sum", "grid": ["ceil_div(columns, 32)", "ceil_div(rows, 32)"], "block": [32, 32]},
    "shapes": [[1024, 1024]],
    "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "rows"},
                                                   {"type": "int", "value": "columns"}]}})raw";
  const std::string text = R"raw(
__global__ void sum(const int* in, int* out, int rows, int columns) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  const bool is_inside = x < columns && y < rows;
  const int own = is_inside ? in[y * columns + x] : 0;
  if (own != 0) atomicAdd(out, own);
}
void oracle(const int* in, int* out, int rows, int columns) {
  for (int i = 0; i < rows * columns; ++i) *out += in[i];
}
)raw";
  const PropertyReport right = checked(job, text, 40, 0);
  EXPECT_TRUE(right.ok()) << right.failure.detail;
  for (const std::string dimension : {"x", "y"}) {
    const PropertyReport wrong = checked(
        job, replaced(text, "x < columns && y < rows", "x < columns && y < rows && gridDim." + dimension + " != 3"), 40,
        0);
    EXPECT_FALSE(wrong.ok()) << dimension;
  }
}

// Rounded sums: a part of them that is added twice is less than the bound, except for inputs whose sums are exact.
TEST_F(JobSizes, HaveExactInputsWhereThereAreAsManyBlocksAsMultiprocessors) {
  longest_seconds_ = 30;
  max_steps_ = PropertyOptions{}.max_steps;
  const std::string job = R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "n"}, "out": {"role": "out", "type": "float", "count": "1"}},
    "steps": [{"zero": "out"}, {"kernel": "sum", "grid": "min(ceil_div(n, 128), 2 * sm_count)", "block": 128}],
    "shapes": [4096],
    "oracle": {"function": "oracle", "arguments": ["in", "out", "n"]}, "bound": {"depth": "n"}})raw";
  const std::string text = R"raw(
__global__ void sum(const float* in, float* out, int n) {
  float own = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) own += in[i];
  atomicAdd(out, own);
}
void oracle(const float* in, float* out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}
)raw";
  const PropertyReport right = checked(job, text, 40, 0);
  EXPECT_TRUE(right.ok()) << right.failure.detail;
  EXPECT_FALSE(checked(job, replaced(text, "gridDim.x * 128", "min(gridDim.x, 131) * 128"), 40, 0).ok());
}

// One block for any number of elements: buffers do not become huge because the kernel accesses little.
TEST_F(JobSizes, DoNotGrowBecauseAKernelAccessesFewElements) {
  const std::string job = R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": "1"}},
    "steps": {"kernel": "first", "grid": 1, "block": 64}, "shapes": [4096],
    "oracle": {"function": "oracle", "arguments": ["in", "out"]}})raw";
  const std::string text = R"raw(
__global__ void first(const int* in, int* out, int n) {
  if (threadIdx.x == 0) *out = in[0] + (n > 200000 ? 1 : 0);
}
void oracle(const int* in, int* out) { *out = in[0]; }
)raw";
  const PropertyReport report = checked(job, text, 200, 0);
  EXPECT_TRUE(report.ok()) << report.failure.detail << " at shape " << report.counterexample->problem.shape.at(0);
  EXPECT_LT(report.accesses_per_step.value_or(1), 1);
}

// What only the tuned shape launches is run there, if that does not take long; else it is named.
TEST_F(JobSizes, TunedShapesAreRunIfThatIsQuick) {
  const auto of_copy = [](const std::string& shapes) {
    return R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": "n"}},
    "steps": {"kernel": "copy", "grid": "ceil_div(n, 256)", "block": 256, "template": ["n >= 100000 ? 4 : 1"]},
    "shapes": [)raw" +
           shapes + R"raw(],
    "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]}})raw";
  };
  const std::string text = R"raw(
template <int Width>
__global__ void copy(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i];
}
void oracle(const int* in, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i];
}
)raw";
  max_steps_ = 1024;  // so that no drawn case is as large
  const PropertyReport right = checked(of_copy("100000"), text, 40, 0);
  EXPECT_TRUE(right.ok()) << right.failure.detail;
  EXPECT_EQ(right.cases, 40) << "a tuned shape is none of the drawn cases";
  EXPECT_THAT(right.warnings(), ElementsAre());
  const PropertyReport wrong = checked(of_copy("100000"), replaced(text, "= in[i]", "= Width == 4 ? 0 : in[i]"), 40, 0);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.counterexample->problem.shape.at(0), 100000);
  const PropertyReport unknown =
      checked(of_copy("100000000"), replaced(text, "= in[i]", "= Width == 4 ? 0 : in[i]"), 40, 0);
  EXPECT_TRUE(unknown.ok());
  EXPECT_THAT(unknown.warnings(), ElementsAre("no case launched copy<4>, but tuned problems do"));
}

}  // namespace
}  // namespace warpwright::conformance
