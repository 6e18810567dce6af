// Tests of jobs that launch in several streams, or whose launches overlap.
#include <gmock/gmock.h>

#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::HasSubstr;

class StreamJobs : public CheckedJobs {
 protected:
  /// Two halves in a stream each, and their sum in the first stream. `more`: members of the last launch.
  PropertyReport halves(const std::string& more) {
    const auto half = [](const std::string& out, int stream) {
      return R"raw({"kernel": "twice", "arguments": ["in", ")raw" + out + R"raw(", "n"], "stream": )raw" +
             std::to_string(stream) + R"raw(, "label": ")raw" + out +
             R"raw(", "grid": "ceil_div(n, 64)", "block": 64}, )raw";
    };
    return checked(R"raw({"extents": ["n"], "shapes": [[4096]], "bound": "equal", "params": {},
      "buffers": {"in": {"role": "in", "type": "int", "count": "n", "data": {"below": 100}},
                  "a": {"role": "scratch", "type": "int", "count": "n"},
                  "b": {"role": "scratch", "type": "int", "count": "n"},
                  "out": {"role": "out", "type": "int", "count": "n"}},
      "oracle": {"kernel": "right", "arguments": ["in", "out", "n"], "grid": "ceil_div(n, 64)", "block": 64},
      "steps": [)raw" + half("a", 1) +
                       half("b", 2) + R"raw({"kernel": "sum", "arguments": ["a", "b", "out", "n"],
        "grid": "ceil_div(n, 64)", "block": 64)raw" +
                       more + "}]}",
                   R"raw(
__global__ void twice(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
__global__ void sum(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
__global__ void right(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 4 * in[i];
}
)raw");
  }
};

TEST_F(StreamJobs, PassIfEachLaunchWaitsForWhatItReads) {
  const PropertyReport report = halves(R"raw(, "after": ["a", "b"])raw");
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_GT(report.checked(), 0);
}

TEST_F(StreamJobs, FailIfALaunchDoesNotWaitForAnotherStream) {
  for (const char* more : {"", R"raw(, "after": "a")raw"}) {
    const PropertyReport report = halves(more);
    ASSERT_FALSE(report.ok()) << more;
    EXPECT_EQ(report.failure.finding, FindingKind::race) << report.failure.detail;
  }
}

TEST_F(StreamJobs, AreRefusedIfTheyWaitForWhatIsNotThere) {
  const auto refusal = [&](const std::string& more) -> std::string {
    try {
      halves(more);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(refusal(R"raw(, "after": "c")raw"), HasSubstr("which is no \"label\" of an earlier step"));
  EXPECT_THAT(refusal(R"raw(, "label": "a")raw"), HasSubstr("two steps have the label \"a\""));
  EXPECT_THAT(refusal(R"raw(, "stream": 128)raw"), HasSubstr("streams have the numbers 0 to 127"));
}

/// Of a launch that reads what the one before writes, and may begin before that one is complete.
class ProgrammaticJobs : public CheckedJobs {
 protected:
  PropertyReport chain(const std::string& wait) {
    return checked(R"raw({"extents": ["n"], "shapes": [[4096]], "bound": "equal", "params": {},
      "buffers": {"in": {"role": "in", "type": "int", "count": "n", "data": {"below": 100}},
                  "a": {"role": "scratch", "type": "int", "count": "n"},
                  "out": {"role": "out", "type": "int", "count": "n"}},
      "oracle": {"kernel": "right", "arguments": ["in", "out", "n"], "grid": "ceil_div(n, 64)", "block": 64},
      "steps": [{"kernel": "twice", "arguments": ["in", "a", "n"], "grid": "ceil_div(n, 64)", "block": 64},
                {"kernel": "next", "arguments": ["a", "out", "n"], "grid": "ceil_div(n, 64)", "block": 64,
                 "programmatic": true}]})raw",
                   R"raw(
__global__ void twice(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  if (i < n) out[i] = 2 * in[i];
}
__global__ void next(const int* a, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  )raw" + wait + R"raw(
  if (i < n) out[i] = a[i] + 1;
}
__global__ void right(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i] + 1;
}
)raw");
  }
};

TEST_F(ProgrammaticJobs, PassIfTheirThreadsWaitForTheLaunchBefore) {
  const PropertyReport report = chain("cudaGridDependencySynchronize();");
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_GT(report.checked(), 0);
}

TEST_F(ProgrammaticJobs, FailIfTheirThreadsDoNotWait) {
  const PropertyReport report = chain("");
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.failure.finding, FindingKind::race) << report.failure.detail;
  EXPECT_THAT(report.failure.detail, HasSubstr("before wait_for_previous_launch (cudaGridDependencySynchronize)"));
}

}  // namespace
}  // namespace warpwright::conformance
