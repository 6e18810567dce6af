// Tests of the output of `conform --mutants --json` and `--csv`.
#include "conformance/program/mutants_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpwright::conformance {
namespace {

Table a_run() {
  const Mutation mutation{
      .rule = "drop barrier", .file = "kernels/a.cuh", .line = 3, .change = "a -> b", .text = {}, .equivalent = {}};
  const Mutant mutant{.kernel = &catalogue().kernel("transpose/copy"), .mutation = mutation};
  return table_of(
      {mutant, mutant, mutant},
      {{.outcome = "killed", .how = "race", .detail = "store, then load", .repro = "x", .cases = 4, .seconds = 0.5},
       {.outcome = "survived", .cases = 900, .seconds = 2},
       {}},
      {{.kind = "not mutated",
        .at = {.file = "kernels/b.cuh", .line = 7},
        .message = "no rule fits",
        .kernel = "transpose/none"}});
}

TEST(MutantsData, JsonHasEveryMutantAndEveryKernelWithoutOne) {
  const auto rows = nlohmann::json::parse(data_of(a_run(), Form::json));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[0]["outcome"] == "killed" && rows[0]["how"] == "race" && rows[0]["cases"] == 4) << rows[0];
  EXPECT_TRUE(rows[1]["outcome"] == "survived" && rows[1]["how"].is_null() && rows[1]["repro"].is_null()) << rows[1];
  EXPECT_TRUE(rows[2]["outcome"] == "not run" && rows[2]["seconds"].is_null()) << rows[2];
  EXPECT_TRUE(rows[3]["kernel"] == "transpose/none" && rows[3]["bug"].is_null()) << rows[3];
  EXPECT_TRUE(rows[3]["outcome"] == "not mutated" && rows[3]["detail"] == "no rule fits") << rows[3];
}

TEST(MutantsData, CsvHasTheSameRows) {
  EXPECT_EQ(data_of(a_run(), Form::csv),
            "kernel,bug,file,line,change,outcome,how,cases,seconds,detail,repro\r\n"
            "transpose/copy,drop barrier,kernels/a.cuh,3,a -> b,killed,race,4,0.5,\"store, then load\",x\r\n"
            "transpose/copy,drop barrier,kernels/a.cuh,3,a -> b,survived,,900,2,,\r\n"
            "transpose/copy,drop barrier,kernels/a.cuh,3,a -> b,not run,,0,,,\r\n"
            "transpose/none,,kernels/b.cuh,7,,not mutated,,0,,no rule fits,\r\n");
}

}  // namespace
}  // namespace warpwright::conformance
