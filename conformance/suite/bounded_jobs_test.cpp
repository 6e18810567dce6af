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

}  // namespace
}  // namespace warpwright::conformance
