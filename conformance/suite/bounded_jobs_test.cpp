// Tests of bounds of jobs whose kernels are not linear: right kernels pass, and wrong ones do not.
#include <gmock/gmock.h>

#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

/// Rows that are shifted and scaled to mean 0 and variance 1; MEAN, EPSILON and SCALED are what a mistake changes.
constexpr const char* kText = R"raw(
#include <cmath>
__global__ void normalised(const float* x, const float* weight, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0, squares = 0;
  for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
  const float mean = sum / (MEAN);
  for (int i = 0; i < columns; ++i) squares += (x[row * columns + i] - mean) * (x[row * columns + i] - mean);
  const float scale = rsqrtf(squares / columns + EPSILON);
  for (int i = 0; i < columns; ++i) y[row * columns + i] = (x[row * columns + i] - mean) * (SCALED);
}
void right(const float* x, const float* weight, float* y, int rows, int columns) {
  for (int row = 0; row < rows; ++row) {
    double sum = 0, squares = 0;
    for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
    for (int i = 0; i < columns; ++i) squares += std::pow(x[row * columns + i] - sum / columns, 2);
    for (int i = 0; i < columns; ++i)
      y[row * columns + i] = (x[row * columns + i] - sum / columns) / std::sqrt(squares / columns + 1e-5) * weight[i];
  }
}
)raw";

constexpr const char* kJob = R"raw({"extents": ["rows", "columns"], "shapes": [[32, 64]],
  "buffers": {"x": {"role": "in", "type": "float", "count": "rows * columns"},
              "weight": {"role": "in", "type": "float", "count": "columns"},
              "y": {"role": "out", "type": "float", "count": "rows * columns"}},
  "steps": {"kernel": "normalised", "grid": "ceil_div(rows, 32)", "block": 32},
  "oracle": {"function": "right", "arguments": ["x", "weight", "y", "rows", "columns"]},
  "bound": {"depth": "2 * columns + 8", "exact": false}})raw";

/// Fourier transforms of rows with 2^stages complex numbers; SIGN is what a mistake changes.
constexpr const char* kTransformText = R"raw(
#include <cmath>
__global__ void transformed(const float* x, float* y, int rows, int stages) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, n = 1 << stages;
  if (row >= rows) return;
  x += 2 * n * row;
  y += 2 * n * row;
  for (int i = 0; i < n; ++i) {
    const int from = stages == 0 ? 0 : __brev(i) >> (32 - stages);
    y[2 * i] = x[2 * from];
    y[2 * i + 1] = x[2 * from + 1];
  }
  for (int half = 1; half < n; half *= 2)
    for (int i = 0; i < n / 2; ++i) {
      const int k = i % half, low = 2 * (i - k) + k, high = low + half;
      const float real = cospif((float)k / half), imaginary = SIGN sinpif((float)k / half);
      const float a = y[2 * high] * real - y[2 * high + 1] * imaginary;
      const float b = y[2 * high] * imaginary + y[2 * high + 1] * real;
      y[2 * high] = y[2 * low] - a;
      y[2 * high + 1] = y[2 * low + 1] - b;
      y[2 * low] += a;
      y[2 * low + 1] += b;
    }
}
void right(const float* x, float* y, int rows, int stages) {
  const int n = 1 << stages;
  for (int row = 0; row < rows; ++row, x += 2 * n, y += 2 * n)
    for (int i = 0; i < n; ++i) {
      double real = 0, imaginary = 0;
      for (int k = 0; k < n; ++k) {
        const double angle = -2 * M_PI * (i * k % n) / n;
        const double a = i * k % n * 4 % (2 * n) == n ? 0 : std::cos(angle);
        const double b = i * k % n * 2 % n == 0 ? 0 : std::sin(angle);
        real += x[2 * k] * a - x[2 * k + 1] * b;
        imaginary += x[2 * k] * b + x[2 * k + 1] * a;
      }
      y[2 * i] = real;
      y[2 * i + 1] = imaginary;
    }
}
)raw";

constexpr const char* kTransformJob = R"raw({"extents": ["rows", "stages"], "shapes": [[16, 6]],
  "check_shapes": [[1, 1], [2, 2], [7, 3], [4, 5], [2, 8]], "takes": ["stages <= 8"],
  "buffers": {"x": {"role": "in", "type": "float", "count": "rows * 2 * 2**stages"},
              "y": {"role": "out", "type": "float", "count": "rows * 2 * 2**stages"}},
  "steps": {"kernel": "transformed", "grid": "ceil_div(rows, 32)", "block": 32},
  "oracle": {"function": "right", "arguments": ["x", "y", "rows", "stages"]},
  "bound": {"depth": "4 * stages", "exact": false}})raw";

class BoundedJobs : public CheckedJobs {
 protected:
  PropertyReport normalised(const std::string& mean, const std::string& epsilon, const std::string& scaled, int cases) {
    return checked(kJob, "#define MEAN " + mean + "\n#define EPSILON " + epsilon + "\n#define SCALED " + scaled + kText,
                   cases);
  }
};

TEST_F(BoundedJobs, ARightKernelThatIsNotLinearPasses) {
  const PropertyReport report = normalised("columns", "1e-5f", "scale * weight[i]", 200);
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_EQ(report.cases, 200);
  EXPECT_GT(report.worst_error_ratio, 1e-3) << "the bound is not so wide that it says nothing";
}

TEST_F(BoundedJobs, AWrongOneDoesNot) {
  EXPECT_FALSE(normalised("columns + 1", "1e-5f", "scale * weight[i]", 20).ok());
  EXPECT_FALSE(normalised("columns", "1e-3f", "scale * weight[i]", 40).ok());
  EXPECT_FALSE(normalised("columns", "1e-5f", "scale", 20).ok());
}

TEST_F(BoundedJobs, SumsWhoseTermsCancelPass) {
  const PropertyReport report = checked(kTransformJob, std::string("#define SIGN -\n") + kTransformText, 400);
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_EQ(report.cases, 400);
  EXPECT_GT(report.worst_error_ratio, 1e-2) << "the bound is not so wide that it says nothing";
  EXPECT_FALSE(checked(kTransformJob, std::string("#define SIGN\n") + kTransformText, 20).ok());
}

}  // namespace
}  // namespace warpwright::conformance
