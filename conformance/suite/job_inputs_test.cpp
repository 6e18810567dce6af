// Tests of what checks draw for jobs: wrong kernels that only unusual data or shapes reveal, each beside a right one.
#include <gmock/gmock.h>

#include "conformance/suite/checked_jobs.hpp"
#include "kernels/job/inputs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AnyOf;
using testing::ElementsAre;

class JobInputs : public CheckedJobs {
 protected:
  /// Checks that the text passes, and that it fails with one of these inputs if `part` is replaced by `mistake`.
  void expect_twins(const std::string& job, const std::string& text, const std::string& part,
                    const std::string& mistake, const testing::Matcher<std::string>& input) {
    const PropertyReport right = checked(job, text, 120, 0);
    EXPECT_TRUE(right.ok()) << right.failure.detail << "\n" << repro_line(*right.counterexample);
    const auto at = text.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    std::string wrong = text;
    const PropertyReport found = checked(job, wrong.replace(at, part.size(), mistake), 120, 0);
    ASSERT_FALSE(found.ok()) << "nothing was found";
    EXPECT_THAT(found.counterexample->input.kind, input);
  }

  /// A job with n floats `in`, and outputs of that type and number.
  static std::string job(const std::string& type, const std::string& count, const std::string& more) {
    return R"raw({"extents": ["n"], "buffers": {"in": {"role": "in", "type": "float", "count": "n"},
      "out": {"role": "out", "type": ")raw" +
           type + R"raw(", "count": ")raw" + count + R"raw("}}, "shapes": ["2^20"], )raw" + more + "}";
  }
};

constexpr const char* kLeast = R"raw(
__global__ void least(const float* in, float* out, int n) {
  __shared__ float of_thread[64];
  float lowest = INFINITY;
  for (int i = threadIdx.x; i < n; i += 64) lowest = fminf(lowest, in[i]);
  of_thread[threadIdx.x] = lowest;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < 64; ++i) lowest = fminf(lowest, of_thread[i]);
  *out = lowest;
}
void oracle(const float* in, float* out, int n) {
  *out = in[0];
  for (int i = 1; i < n; ++i) *out = in[i] < *out ? in[i] : *out;
}
)raw";
constexpr const char* kOfLeast = R"raw("steps": {"kernel": "least", "grid": 1, "block": 64}, "bound": "equal",
  "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]})raw";

TEST_F(JobInputs, AreHuge) {
  expect_twins(job("float", "1", kOfLeast), kLeast, "INFINITY", "1e9f", AnyOf("huge", "infinities"));
}

TEST_F(JobInputs, AreInfiniteWhereResultsAreNotRounded) {
  expect_twins(job("float", "1", kOfLeast), kLeast, "INFINITY", "3.4e38f", AnyOf("infinities"));
}

TEST_F(JobInputs, ThatAreNeverInfiniteAreACaveat) {
  const auto caveats = [&](const std::string& more) {
    return checked(job("float", "1",
                       R"raw("steps": {"kernel": "least", "grid": 1, "block": 64}, )raw" + more +
                           R"raw(, "oracle": {"function": "oracle",
                                                "arguments": ["in", "out", {"type": "int", "value": "n"}]})raw"),
                   kLeast, 4, 0)
        .caveats;
  };
  EXPECT_THAT(caveats(R"("bound": "equal")"), ElementsAre());
  EXPECT_THAT(caveats(R"("bound": {"depth": 1}, "inputs": ["uniform", "infinities"])"), ElementsAre());
  EXPECT_THAT(caveats(R"("bound": {"depth": 1})"),
              ElementsAre("infinities and NaN are not tested: \"inputs\" may list \"infinities\" and \"special\""));
}

constexpr const char* kEach =
    R"raw("steps": {"kernel": "each", "grid": "ceil_div(n, 64)", "block": 64}, "bound": "equal",
  "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]})raw";

TEST_F(JobInputs, AreTiny) {
  expect_twins(job("float", "n", kEach), R"raw(
__global__ void each(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
void oracle(const float* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i];
}
)raw",
               "out[i] = in[i]", "out[i] = fabsf(in[i]) > 1e-8f ? in[i] : 0.0f", AnyOf("tiny", "cutoffs"));
}

TEST_F(JobInputs, AreExactlyAtACutoff) {
  expect_twins(job("int", "n", kEach), R"raw(
__global__ void each(const float* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] >= 0.375f;
}
void oracle(const float* in, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i] >= 0.375;
}
)raw",
               ">= 0.375f", "> 0.375f", AnyOf("cutoffs"));
}

TEST_F(JobInputs, AreAbsorbedBySumsWithADerivedBound) {
  expect_twins(job("float", "1", R"raw("steps": {"kernel": "total", "grid": 1, "block": 1}, "bound": {"depth": 4},
    "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]})raw"),
               R"raw(
__global__ void total(const float* in, float* out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}
void oracle(const float* in, float* out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}
)raw",
               "double sum", "float sum", AnyOf("absorbed", "all_equal"));
}

TEST_F(JobInputs, AreOneValueInLargeProblems) {
  const std::string bins = R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "unsigned int", "count": "n"},
                "out": {"role": "out", "type": "unsigned int", "count": "16"}},
    "steps": {"kernel": "bins", "grid": 1, "block": 16}, "shapes": ["2^16"], "work": {"steps": "n"},
    "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]}})raw";
  expect_twins(bins, R"raw(
__global__ void bins(const unsigned* in, unsigned* out, int n) {
  unsigned count = 0;
  for (int i = 0; i < n; ++i)
    if (in[i] % 16 == threadIdx.x) ++count;
  out[threadIdx.x] = count;
}
void oracle(const unsigned* in, unsigned* out, int n) {
  for (int bin = 0; bin < 16; ++bin) out[bin] = 0;
  for (int i = 0; i < n; ++i) ++out[in[i] % 16];
}
)raw",
               "++count", "count = count < 12000 ? count + 1 : count", AnyOf("all_equal", "cutoffs"));
}

TEST_F(JobInputs, HaveExtentsInARatioOfOneToTwo) {
  const std::string turned = R"raw({"extents": ["rows", "columns"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "rows * columns"},
                "out": {"role": "out", "type": "int", "count": "rows * columns"}},
    "steps": {"kernel": "turned", "grid": ["ceil_div(columns, 8)", "ceil_div(rows, 8)"], "block": [8, 8]},
    "shapes": [[512, 512]],
    "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "rows"},
                                                   {"type": "int", "value": "columns"}]}})raw";
  expect_twins(turned, R"raw(
__global__ void turned(const int* in, int* out, int rows, int columns) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}
void oracle(const int* in, int* out, int rows, int columns) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) out[x * rows + y] = in[y * columns + x];
}
)raw",
               "out[x * rows + y]", "out[rows > 4 && 2 * rows == columns ? 0 : x * rows + y]", testing::_);
}

TEST_F(JobInputs, HaveRowsThatAreEmptyAndRowsWithEverything) {
  const std::string sums = R"raw({"extents": ["rows", "entries"],
    "buffers": {"offsets": {"role": "in", "type": "int", "count": "rows + 1", "data": {"rows": "entries"}},
                "values": {"role": "in", "type": "int", "count": "entries", "data": {"range": [1, 9]}},
                "out": {"role": "out", "type": "int", "count": "rows"}},
    "steps": {"kernel": "sums", "grid": "ceil_div(rows, 32)", "block": 32}, "shapes": [[1024, 16384]],
    "oracle": {"function": "oracle", "arguments": ["offsets", "values", "out", {"type": "int", "value": "rows"}]}})raw";
  const std::string text = R"raw(
__global__ void sums(const int* offsets, const int* values, int* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int i = offsets[row]; i < offsets[row + 1]; ++i) sum += values[i];
  out[row] = sum;
}
void oracle(const int* offsets, const int* values, int* out, int rows) {
  for (int row = 0; row < rows; ++row) {
    out[row] = 0;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i) out[row] += values[i];
  }
}
)raw";
  // The last row is empty although there are many entries; one row of many has all entries.
  expect_twins(sums, text, "out[row] = sum;",
               "if (offsets[rows] < 4 * rows || row + 1 < rows || offsets[row] < offsets[rows]) out[row] = sum;",
               testing::_);
  expect_twins(sums, text, "int sum = 0;",
               "int sum = rows > 8 && offsets[row + 1] - offsets[row] == offsets[rows] && offsets[rows] > 40;",
               testing::_);
  // All rows are empty.
  expect_twins(sums, text, "int sum = 0;", "int sum = offsets[rows] == 0;", testing::_);
}

TEST(ComparedNumbers, StandBesideAComparison) {
  EXPECT_THAT(job::compared_numbers("if (x > 0.5f || -2 <= y || z == 7u || 1e30f < w) x = 3 + a[4];"),
              ElementsAre(-2, 0.5, 7));
}

}  // namespace
}  // namespace warpwright::conformance
