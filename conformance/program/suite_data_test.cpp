// Tests of the output of `conform --json` and `conform --csv`.
#include "conformance/program/suite_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/core/caveats.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {
namespace {

SuiteResults a_run() {
  const Kernel& kernel = catalogue().kernel("transpose/copy");
  PropertyReport passed;
  passed.kernel = &kernel;
  passed.cases = 20;
  passed.worst_error_ratio = 0.25;
  PropertyReport raced = passed;
  raced.cases = 1;
  raced.counterexample = Case{};
  raced.failure = {.verdict = Verdict::failed, .finding = FindingKind::race};
  PropertyReport opaque = passed;
  opaque.not_modelled = "inline PTX";
  opaque.unmodelled = 20;
  opaque.caveats = {std::string(kValuesNotChecked) + ": without an oracle"};
  Diagnostic race{.kind = "race",
                  .at = {.file = "a, b.cu", .line = 7, .column = 3},
                  .message = "store of 4 bytes",
                  .by = "by block (0, 0, 0)",
                  .other = Diagnostic::Other{.at = {.file = "a.cu", .line = 9, .column = 1}, .words = "the other"},
                  .repro = "conform --repro 'x'"};
  return {.target = "host/sm_90",
          .seed = 7,
          .seconds = 1.5,
          .stored = {},
          .kernels = {{passed, {}}, {raced, {race}}, {opaque, {}}}};
}

TEST(SuiteData, JsonHasEachKernelWithItsFindingsAndNullIfNothingWasCompared) {
  const auto parsed = nlohmann::json::parse(data_of(a_run(), Form::json));
  EXPECT_EQ(parsed["seed"], 7);
  EXPECT_EQ(parsed["complete"], true);
  EXPECT_EQ(parsed["kernels"][0]["of_bound"], 0.25);
  EXPECT_EQ(parsed["kernels"][0]["verdict"], "passed");
  EXPECT_TRUE(parsed["kernels"][0]["findings"].empty());
  const auto& raced = parsed["kernels"][1];
  EXPECT_TRUE(raced["of_bound"].is_null());
  EXPECT_EQ(raced["verdict"], "failed");
  EXPECT_EQ(raced["findings"][0]["place"], (nlohmann::json{{"file", "a, b.cu"}, {"line", 7}, {"column", 3}}));
  EXPECT_EQ(raced["findings"][0]["other"]["place"]["line"], 9);
  EXPECT_EQ(raced["findings"][0]["repro"], "conform --repro 'x'") << "one line, however long";
  EXPECT_EQ(parsed["kernels"][2]["verdict"], "not modelled");
  EXPECT_TRUE(parsed["kernels"][2]["of_bound"].is_null());
}

TEST(SuiteData, CsvHasOneRowPerKernelWithItsFirstFinding) {
  EXPECT_EQ(data_of(a_run(), Form::csv),
            "kernel,target,seed,cases,seconds,of_bound,verdict,values_checked,kind,file,line,column,message,repro\r\n"
            "transpose/copy,host/sm_90,7,20,0,0.25,passed,true,,,,,,\r\n"
            "transpose/copy,host/sm_90,7,1,0,,failed,true,race,\"a, b.cu\",7,3,store of 4 bytes,conform --repro 'x'\r\n"
            "transpose/copy,host/sm_90,7,20,0,,not modelled,false,,,,,,\r\n");
}

}  // namespace
}  // namespace warpwright::conformance
