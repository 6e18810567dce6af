// Tests of what the results of jobs are compared with, and of what is said about that.
#include <gtest/gtest.h>

#include "kernels/job/job_fixture.hpp"
#include "kernels/model/problem.hpp"

namespace warpwright::job {
namespace {

class JobsCompared : public JobFiles {};

TEST_F(JobsCompared, SayWhatTheirResultsAreComparedWith) {
  EXPECT_EQ(lowered(kScaleJob).pattern.caveats.at(0),
            "values were not checked: without an oracle, they are compared with those of the default configuration");
  const std::string guessed = with(kScaleJob, R"({"depth": 1, "of": "result"})", R"({"relative": 1e-5})");
  EXPECT_EQ(
      lowered(guessed).pattern.caveats.at(1),
      "the bound is guessed: results may be off by 1e-05 times the right value, so extreme values are not tested");
  const Lowered job = lowered(guessed);
  const Problem problem = make_problem(job.pattern, {ElementType::f32}, {}, {7});
  EXPECT_EQ(job.pattern.bound(problem, "y", {.name = "uniform"}, 0).relative, 1e-5);
}

TEST_F(JobsCompared, SayThatIntegersAreComparedExactly) {
  write("scale.cu", with(kScaleText, "float* y", "int* y"));
  const std::string job =
      with(kScaleJob, R"("y": {"role": "out", "type": "float")", R"("y": {"role": "out", "type": "int")");
  const auto said = [&](const std::string& bound) {
    const Lowered made = lowered(with(job, R"({"depth": 1, "of": "result"})", bound));
    const Problem problem = make_problem(made.pattern, made.pattern.types.front(), {}, {7});
    std::string guess = made.pattern.caveats.size() > 1 ? made.pattern.caveats[1] : "";
    return made.pattern.bound(problem, "y", {.name = "uniform"}, 0).formula + "; " + guess;
  };
  EXPECT_EQ(said(R"("equal")"), "the same values; ");
  EXPECT_EQ(said(R"({"relative": 0.1})"),
            "the same values, since integers may differ only if \"absolute\" is 1 or more; ");
  EXPECT_EQ(said(R"({"absolute": 1})"),
            "guessed: 1; the bound is guessed: results may be off by 1, so extreme values are not tested");
}

TEST_F(JobsCompared, AreNotComparedWithADefaultConfigurationThatDoesNotTakeTheProblem) {
  const std::string text = with(kScaleJob, "\"shapes\"", "\"takes\": [\"n % BLOCK == 0\"],\n  \"shapes\"");
  const auto said = [&](const std::string& job, std::int64_t n) {
    const Lowered made = lowered(job);
    return made.kernel.refuses({64, 1}, make_problem(made.pattern, made.pattern.types.front(), {}, {n}), host_device());
  };
  EXPECT_EQ(said(text, 192),
            "without an oracle, results are compared with the default configuration, which takes n % BLOCK == 0");
  EXPECT_EQ(said(text, 256), "");
  EXPECT_EQ(said(text, 100), "takes n % BLOCK == 0");
  const std::string plain = with(text, "\"bound\"", R"("oracle": {"kernel": "scaled", "grid": 1, "block": 64},
  "bound")");
  EXPECT_EQ(said(plain, 192), "");
}

}  // namespace
}  // namespace warpwright::job
