// Tests of jobs with small launches, of which all schedules are run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "conformance/cases/case.hpp"
#include "conformance/properties/remarks.hpp"
#include "conformance/suite/checked_jobs.hpp"
#include "conformance/suite/diagnostics.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kJob = R"raw({"extents": ["n"],
  "buffers": {"in": {"role": "in", "type": "int", "count": "n"},
              "count": {"role": "scratch", "type": "unsigned int", "count": 2},
              "out": {"role": "out", "type": "int", "count": 1}},
  "steps": [{"zero": "count"}, {"kernel": "largest", "grid": "ceil_div(n, 2)", "block": 2}],
  "shapes": [[8]], "check_shapes": [[3], [6]],
  "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]}, "bound": "equal"})raw";

/// The last of several blocks writes the result. `enter` is how a block counts itself.
std::string largest(const std::string& enter) {
  return "__global__ void largest(const int* in, unsigned int* count, int* out, int n) {\n"
         "  if (threadIdx.x != 0) return;\n"
         "  int own = in[2 * blockIdx.x];\n"
         "  if (2 * blockIdx.x + 1 < n) own = max(own, in[2 * blockIdx.x + 1]);\n"
         "  atomicMax(count + 1, static_cast<unsigned int>(own) ^ 0x80000000u);\n"
         "  __threadfence();\n  " +
         enter +
         "\n  __threadfence();\n"
         "  if (last) out[0] = static_cast<int>(atomicAdd(count + 1, 0u) ^ 0x80000000u);\n"
         "}\n"
         "void oracle(const int* in, int* out, int n) {\n"
         "  out[0] = in[0];\n  for (int i = 1; i < n; ++i) out[0] = in[i] > out[0] ? in[i] : out[0];\n}\n";
}

class ExploredJobs : public CheckedJobs {};

TEST_F(ExploredJobs, SayThatAllSchedulesOfACaseAreRight) {
  const PropertyReport report =
      checked(kJob, largest("const bool last = atomicAdd(count, 1u) == gridDim.x - 1;"), 20, 0);
  ASSERT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_GT(report.exhausted, 1U);
  EXPECT_THAT(hints_on(report), Contains(AllOf(HasSubstr("exhausted: "), HasSubstr(" executions of job:kernel"))));
}

TEST_F(ExploredJobs, FindWhatRandomSchedulesMiss) {
  // Wrong in one order of nine accesses, in which the blocks do not take turns.
  const std::string rare =
      "__global__ void largest(const int* in, unsigned int* count, int* out, int n) {\n"
      "  if (threadIdx.x != 0) return;\n"
      "  if (blockIdx.x == 0) {\n    out[0] = in[0];\n    for (int i = 0; i < 5; ++i) atomicAdd(count, 1u);\n  }\n"
      "  if (blockIdx.x == 1) {\n    const unsigned int a = atomicAdd(count, 0u);\n"
      "    const unsigned int b = atomicAdd(count, 0u);\n    const unsigned int c = atomicAdd(count, 0u);\n"
      "    const unsigned int d = atomicAdd(count, 0u);\n"
      "    if (a == 1 && b == 1 && c == 3 && d == 5) out[1] = 0;  // past its end\n  }\n}\n"
      "void oracle(const int* in, int* out, int n) {\n  out[0] = in[0];\n}\n";
  const PropertyReport report = checked(kJob, rare, 12, 0);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.failure.finding, FindingKind::out_of_bounds);
  const std::string line = repro_line(*report.counterexample);
  EXPECT_THAT(line, HasSubstr("check=all_schedules"));
  EXPECT_EQ(parse_repro(jobs_.back()->catalogue(), line), *report.counterexample);
}

TEST_F(ExploredJobs, AreOnlyThoseWithSmallLaunches) {
  std::string large = kJob;
  large.replace(large.find(R"("block": 2)"), 10, R"("block": 96)");
  const PropertyReport report =
      checked(large, largest("const bool last = atomicAdd(count, 1u) == gridDim.x - 1;"), 20, 0);
  ASSERT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_EQ(report.exhausted, 0U);
  EXPECT_THAT(report.explored, IsEmpty());
}

}  // namespace
}  // namespace warpwright::conformance
