// The program `conform` as a nightly run uses it: stored counterexamples first, then fresh cases, all in one report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "conformance/case.hpp"
#include "db/store.hpp"
#include "kernels/runtime/host/child_process.hpp"
#include "kernels/runtime/temporary_folder.hpp"

namespace warpwright::conformance {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Result {
  int code = -1;
  std::string text;
};

class ConformProgram : public testing::Test {
 protected:
  /// Runs conform on copies, recording in a database of its own.
  Result nightly(const std::string& arguments) const {
    const std::string command = WARPWRIGHT_BINARY_DIR
                                "/bin/conform transpose/copy --nightly --points 2 --cases 3 --db " +
                                db_.string() + " --cache " WARPWRIGHT_BINARY_DIR "/test_cache " + arguments;
    const host::ProcessResult result = host::run_process({"sh", "-c", command}, "", std::chrono::minutes(5));
    return {.code = result.exit_code, .text = result.output};
  }

  void store(const std::string& kernel, const std::string& repro) const {
    db::Store(db_).saw_counterexample(
        {.pattern = "transpose", .kernel = kernel, .repro = repro, .detail = "element 3 is wrong"});
  }

  const TemporaryFolder folder_;
  const fs::path db_ = folder_ / "nightly.db";
};

TEST_F(ConformProgram, ReplaysStoredCounterexamplesBeforeFreshCases) {
  const std::string passes =
      "kernel=transpose/copy params={.block_size = 128, .coarsening = 1, .vector_width = 1} "
      "problem=transpose[op=copy,data=uniform,float,3x5] input=exact:7 check=oracle schedule=0:0 target=host/sm_75";
  ASSERT_NO_THROW(parse_repro(catalogue(), passes));
  store("copy", passes);
  store("copy", "kernel=transpose/copy params={.gone = 1} problem=transpose[op=copy,float,3x5] input=exact:7");
  const std::string junit = (folder_ / "junit.xml").string();
  const Result run = nightly("--junit " + junit);
  EXPECT_EQ(run.code, 0) << run.text;
  const std::size_t replayed = run.text.find("stored counterexample passes now: " + passes);
  const std::size_t fresh = run.text.find("transpose/copy   ");
  ASSERT_NE(replayed, std::string::npos) << run.text;
  ASSERT_NE(fresh, std::string::npos) << run.text;
  EXPECT_LT(replayed, fresh);
  std::ifstream file(junit);
  const std::string report(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(report, AllOf(HasSubstr("tests=\"3\" failures=\"0\""), HasSubstr("name=\"stored: " + passes + "\""),
                            HasSubstr("<skipped message="), HasSubstr("name=\"copy\"")));
  const db::Store store(db_);
  EXPECT_TRUE(store.counterexamples().empty()) << "one is fixed, the other obsolete";
  const auto all = store.counterexamples("*", true);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].fixed_at.has_value() != all[1].fixed_at.has_value());
  EXPECT_TRUE(all[0].obsolete.has_value() != all[1].obsolete.has_value());
  ASSERT_EQ(store.conformance_runs().size(), 1U);
  EXPECT_EQ(store.conformance_runs().front().ended_how, "complete");
  EXPECT_EQ(store.conformance_runs().front().cases, 3);
}

TEST_F(ConformProgram, DrawsOtherCasesEveryNightUnlessASeedIsGiven) {
  ASSERT_EQ(nightly("").code, 0);
  ASSERT_EQ(nightly("").code, 0);
  ASSERT_EQ(nightly("--seed 5").code, 0);
  const auto runs = db::Store(db_).conformance_runs();
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_NE(runs[0].seed, runs[1].seed);
  EXPECT_EQ(runs[2].seed, 5U);
}

TEST_F(ConformProgram, SeesEveryMutantInTheNightsThatItIsGiven) {
  const std::string share = "--mutants --mutants-tier nightly --nights 2";
  const Result first = nightly(share);
  EXPECT_EQ(first.code, 0) << first.text;
  EXPECT_THAT(first.text, HasSubstr("; 2 nights see all"));
  EXPECT_THAT(first.text, Not(HasSubstr("(100 %)")));
  const Result second = nightly(share);
  EXPECT_EQ(second.code, 0) << second.text;
  EXPECT_THAT(second.text, HasSubstr("(100 %); 2 nights see all"));
  EXPECT_EQ(nightly("--mutants-tier nightly").code, 2);
  EXPECT_EQ(nightly("--mutants --mutants-tier weekly").code, 2);
}

TEST_F(ConformProgram, FindsAMistakeInACuFileAndSaysHowToSeeItAgain) {
  std::ofstream(folder_ / "twice.cu") << R"raw(
#include <cstdio>
__global__ void twice(float* y, const float* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i <= n) y[i] = 2 * x[i];
}
int main() { printf("of no use here"); }
)raw";
  std::ofstream(folder_ / "twice.json") << R"raw({
  // Doubles what it is given.
  "extents": ["n"], "params": {"BLOCK": [64]},
  "buffers": {"x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
  "steps": {"kernel": "twice", "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"}, "shapes": [4096], "bound": "equal"
})raw";
  const auto conform = [&](const std::string& arguments) {
    const host::ProcessResult result =
        host::run_process({"sh", "-c",
                           "cd " + folder_.path().string() + " && " WARPWRIGHT_BINARY_DIR "/bin/conform " + arguments +
                               " --cache " WARPWRIGHT_BINARY_DIR "/test_cache"},
                          "", std::chrono::minutes(5));
    return Result{.code = result.exit_code, .text = result.output};
  };
  const Result found = conform("twice.json --cases 20");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.text,
              AllOf(HasSubstr("out of bounds"), HasSubstr("twice.cu:5"), HasSubstr("no oracle: answers are")));
  const std::string mark = "reproduce: conform ";
  const std::size_t begin = found.text.find(mark);
  ASSERT_NE(begin, std::string::npos) << found.text;
  const Result again =
      conform(found.text.substr(begin + mark.size(), found.text.find('\n', begin) - begin - mark.size()));
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.text, HasSubstr("out of bounds"));
  EXPECT_EQ(conform("--repro 'kernel=job:twice/twice problem=job:twice[float,3]'").code, 2);
  EXPECT_THAT(conform("missing.json").text, HasSubstr("missing.json cannot be read"));
}

}  // namespace
}  // namespace warpwright::conformance
