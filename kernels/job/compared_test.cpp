// Tests of how elements of a job's buffers are named, and of what "compare" refuses.
#include "kernels/job/compared.hpp"

#include <gmock/gmock.h>

#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ElementsCompared : public JobFiles {};

std::string named(const std::string& count, std::int64_t index, int lanes = 1) {
  return element_name({.name = "out", .lanes = lanes, .count = Expression::parse(count)},
                      {{"rows", 3}, {"columns", 65}, {"depth", 2}}, index);
}

TEST_F(ElementsCompared, AreNamedByTheDimensionsOfTheCount) {
  EXPECT_EQ(named("rows * columns", 65 + 63), "out[1, 63] of 3 x 65");
  EXPECT_EQ(named("depth * rows * columns", 195 + 65 + 63), "out[1, 1, 63] of 2 x 3 x 65");
  EXPECT_EQ(named("rows * ceil_div(columns, 32) * 32", 96 + 63), "out[1, 63] of 3 x 96");
  EXPECT_EQ(named("(rows) * (columns + 1)", 66), "out[1, 0] of 3 x 66");
  EXPECT_EQ(named("rows * 2**depth", 6), "out[1, 2] of 3 x 4");
  for (const std::string count : {"195", "columns", "rows * columns + 1", "2 * rows * columns"})
    EXPECT_EQ(named(count, 70), "out[70]") << count;
  EXPECT_EQ(named("rows * columns", 4 * (65 + 63) + 2, 4), "out[1, 63].z of 3 x 65");
  EXPECT_EQ(named("columns", 7, 2), "out[3].y");
}

TEST_F(ElementsCompared, AreRefusedWithAdvice) {
  const auto compare = [&](const std::string& words) {
    return refusal(with(kScaleJob, R"("role": "out",)", R"("role": "out", "compare": )" + words + ","));
  };
  EXPECT_EQ(compare("\"where written\""), "none");
  EXPECT_THAT(compare("\"written\""), HasSubstr("\"compare\" is \"where written\" (by the oracle), {\"from\": 0"));
  EXPECT_THAT(compare("{\"row\": 3}"), HasSubstr("\"pitch\" is missing"));
  EXPECT_THAT(compare("{\"from\": 3}"), HasSubstr("\"below\" is missing"));
  EXPECT_THAT(compare("{\"below\": \"other\"}"), HasSubstr("uses other, which is not defined here"));
  EXPECT_THAT(compare("{\"row\": 1, \"pitch\": 0}"), HasSubstr("a pitch of 0"));
  EXPECT_THAT(compare("{\"below\": \"0 - 1\"}"), HasSubstr("\"0 - 1\" is -1, no number of elements"));
}

TEST_F(ElementsCompared, HaveAnOracleOfTheirOwnForAKernelInAFileOfThatName) {
  write("oracle.cuh", kScaleText);
  const Lowered job = lowered(with(kScaleJob, "scale.cu", "oracle.cuh"));
  const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, {8});
  const std::string& kernel = job.sources.at(job.kernel.source);
  const std::string& oracle = job.sources.at(job.pattern.reference(problem, host_device()).source);
  EXPECT_THAT(kernel, AllOf(HasSubstr("scaled("), Not(HasSubstr("The oracle of"))));
  EXPECT_THAT(oracle, HasSubstr("The oracle of job:scale"));
}

}  // namespace
}  // namespace warpwright::job
