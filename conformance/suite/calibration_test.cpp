// Tests of the depths that a calibration measures.
#include "conformance/suite/calibration.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Calibrations : public CheckedJobs {
 protected:
  static constexpr const char* kOracle =
      R"(, "oracle": {"function": "third", "file": "oracle.cpp", "arguments": ["x", "y", {"type": "int", "value": "n"}]})";

  Calibration of(const std::string& bound, const std::string& value, bool has_oracle = true) {
    write("oracle.cpp",
          "void third(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] / 3.0; }\n");
    write("kernel.cu",
          "__global__ void third(const float* x, float* y, int n) {\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  if (i < n) y[i] = " +
              value + ";\n}\n");
    const std::string job = R"raw({"extents": ["n"], "buffers": {
        "x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
      "steps": {"kernel": "third", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096],
      "bound": )raw" + bound +
                            (has_oracle ? kOracle : "") + "}";
    jobs_.push_back(std::make_unique<job::Jobs>(catalogue(), std::vector<std::string>{write("kernel.json", job)}));
    const Catalogue& all = jobs_.back()->catalogue();
    const Kernel& kernel = *all.matching(jobs_.back()->globs()).front();
    worker::Compiler compiler(pool_, cache_, all.sources());
    worker::Process process;
    PropertyOptions options;
    options.cases = 40;
    const Calibration found = calibrate(all, kernel, process, compiler, options);
    words_ = describe(kernel, found);
    return found;
  }

  std::string words_;
};

TEST_F(Calibrations, MeasureTheDepthThatOutputsNeed) {
  // A third that is rounded twice, and the oracle's own rounding.
  const Calibration found = of(R"({"depth": 8, "of": "result", "exact": false})", "x[i] * 0.33333334f");
  EXPECT_GT(found.cases, 20) << words_;
  EXPECT_GT(found.depth, 0.5);
  EXPECT_LT(found.depth, 4);
  EXPECT_NEAR(found.of_bound, found.depth / 8, 1e-6);
  EXPECT_THAT(words_, AllOf(HasSubstr("of the bound\n"), HasSubstr("suggested: \"bound\": {\"depth\": "),
                            HasSubstr("conform ")));
}

TEST_F(Calibrations, SuggestADepthInPlaceOfAGuess) {
  const Calibration found = of(R"({"relative": 1e-3})", "x[i] * 0.33333334f");
  EXPECT_TRUE(found.is_guessed);
  EXPECT_GT(found.depth, 0.5);
  EXPECT_LT(found.depth, 4);
  EXPECT_THAT(words_, AllOf(HasSubstr("roundings of the result\n"), HasSubstr(", \"of\": \"result\"}")));
  const Kernel& kernel = catalogue().kernel("transpose/copy");
  Calibration ended;
  ended.failure = "a race";
  const auto rows = nlohmann::json::parse(data_of(table_of({{&kernel, found}, {&kernel, ended}}), Form::json));
  EXPECT_TRUE(rows[0]["kernel"] == "transpose/copy" && rows[0]["cases"] == found.cases && rows[0]["of"] == "result" &&
              rows[0]["roundings"] == found.depth && rows[0]["of_bound"].is_null() && rows[0]["suggested_depth"] >= 1)
      << rows;
  EXPECT_TRUE(rows[1]["failure"] == "a race" && rows[1]["roundings"].is_null() && rows[1]["repro"].is_null()) << rows;
}

TEST_F(Calibrations, CountRoundingsWhereNothingMayBeRounded) {
  const Calibration found = of(R"({"depth": 8})", "x[i] * 0.3333f");
  EXPECT_GT(found.inexact, 0);
  EXPECT_THAT(words_, HasSubstr("if they are right, say \"exact\": false"));
}

TEST_F(Calibrations, NeedAnOracle) {
  const Calibration found = of(R"({"depth": 8})", "x[i] * 0.3333f", false);
  EXPECT_EQ(found.cases, 0);
  EXPECT_THAT(words_, HasSubstr("not calibrated, since something else is wrong:\n  it has no oracle"));
}

TEST_F(Calibrations, EndWithAnyOtherFault) {
  EXPECT_THAT(of("\"equal\"", "x[i] / 4").failure, HasSubstr("wrong value"));
  const Calibration found = of(R"({"depth": 8, "exact": false})", "x[i + 1] / 3");
  EXPECT_THAT(found.failure, HasSubstr("out of bounds"));
  EXPECT_THAT(words_, HasSubstr("not calibrated, since something else is wrong:\n"));
}

}  // namespace
}  // namespace warpwright::conformance
