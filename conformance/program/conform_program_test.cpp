// Tests of `conform` as a nightly run: stored counterexamples first, then new cases, all in one report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "conformance/cases/case.hpp"
#include "db/store/store.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"

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
  /// Runs conform on the copy kernels, with its own database.
  Result nightly(const std::string& arguments) const {
    const std::string command = WARPWRIGHT_BINARY_DIR
                                "/bin/conform transpose/copy --nightly --points 2 --cases 3 --db " +
                                db_.string() + " --cache " WARPWRIGHT_BINARY_DIR "/test_cache " + arguments;
    const simulator::ProcessResult result =
        simulator::run_process({"sh", "-c", command}, "", time_factor * std::chrono::minutes(5));
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
      "kernel=transpose/copy params={.block_size = 128, .vectors_per_thread = 1, .vector_width = 1} "
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

TEST_F(ConformProgram, DrawsDifferentCasesEveryNightUnlessASeedIsGiven) {
  ASSERT_EQ(nightly("").code, 0);
  ASSERT_EQ(nightly("").code, 0);
  ASSERT_EQ(nightly("--seed 5").code, 0);
  const auto runs = db::Store(db_).conformance_runs();
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_NE(runs[0].seed, runs[1].seed);
  EXPECT_EQ(runs[2].seed, 5U);
}

TEST_F(ConformProgram, RunsEveryMutantWithinTheGivenNumberOfNights) {
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

/// A job of one kernel, beside its .cu file, in conform's current folder.
class ConformJob : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& code, const std::string& more = "") const {
    std::ofstream(folder_ / (name + ".cu")) << code;
    std::ofstream(folder_ / (name + ".json")) << R"raw({
  // Of one buffer another one.
  "extents": ["n"], "params": {"BLOCK": [64]},
  "buffers": {"x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
  "steps": {"kernel": ")raw" + name +
                                                     R"raw(", "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"},
  "shapes": [4096], "bound": "equal")raw" << more
                                              << "}";
  }

  Result conform(const std::string& arguments) const {
    const simulator::ProcessResult result =
        simulator::run_process({"sh", "-c",
                                "cd " + folder_.path().string() + " && " WARPWRIGHT_BINARY_DIR "/bin/conform " +
                                    arguments + " --cache " WARPWRIGHT_BINARY_DIR "/test_cache"},
                               "", time_factor * std::chrono::minutes(5));
    return {.code = result.exit_code, .text = result.output};
  }

  std::string text_of(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const TemporaryFolder folder_;
};

/// The command after "reproduce: ".
std::string repro_in(const std::string& text) {
  const std::string mark = "  reproduce: conform ";
  const std::size_t begin = text.find(mark);
  if (begin == std::string::npos) return {};
  std::size_t end = text.find('\n', begin);
  while (text[end - 1] == '\\') end = text.find('\n', end + 1);
  return text.substr(begin + mark.size(), end - begin - mark.size());
}

TEST_F(ConformJob, AMistakeIsReportedWithFileLineAndColumnAndReproducedByTheCommand) {
  write("twice", R"raw(
#include <cstdio>
__global__ void twice(float* y, const float* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i <= n) y[i] = 2 * x[i];
}
int main() { printf("of no use here"); }
)raw");
  const Result found = conform("twice.json --cases 20 --junit run.xml");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.text,
              AllOf(HasSubstr("  FAILED: out of bounds\n"), HasSubstr("\ntwice.cu:5:29: out of bounds: load"),
                    HasSubstr("\n  by block ("), HasSubstr("\n  warning: values were not checked: without an oracle")));
  EXPECT_THAT(text_of("run.xml"),
              HasSubstr("<failure type=\"out of bounds\" message=\"twice.cu:5:29: out of bounds: "));
  const std::string command = repro_in(found.text);
  ASSERT_NE(command, "") << found.text;
  const Result again = conform(command);
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.text, HasSubstr("\ntwice.cu:5:29: out of bounds: load"));
  EXPECT_EQ(conform("--repro 'kernel=job:twice/twice problem=job:twice[float,3]'").code, 2);
  EXPECT_THAT(conform("missing.json").text, HasSubstr("missing.json cannot be read"));
}

TEST_F(ConformJob, ARaceNamesBothLocationsWithTheirFolders) {
  std::filesystem::create_directory(folder_ / "jobs");
  write("jobs/pairs", R"raw(// What is not there counts as zero.
__global__ void pairs(float* y, const float* x, int n) {
  __shared__ float tile[BLOCK];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  const float next = tile[(threadIdx.x + 1) % BLOCK];
  tile[threadIdx.x] = next + 1;
  if (i < n) y[i] = tile[threadIdx.x];
}
)raw");
  const std::string json = text_of("jobs/pairs.json");
  std::ofstream(folder_ / "jobs/pairs.json") << std::regex_replace(json, std::regex("jobs/pairs"), "pairs");
  const Result found = conform("jobs/pairs.json --cases 20 --sarif run.sarif");
  EXPECT_EQ(found.code, 1);
  const std::string load = "jobs/pairs\\.cu:7:[0-9]+";
  const std::string store = "jobs/pairs\\.cu:8:21";
  // Each of the three lines may be wrapped.
  const std::string lines = std::regex_replace(found.text, std::regex("\n {4,}"), " ");
  const auto says = [&](const std::string& one, const std::string& other) {
    return std::regex_search(
        lines, std::regex("\n" + one + ": race: [^\n]* races with a [^\n]*\n  by block [^\n]*: [^\n]*tile\\[[^\n]*; " +
                          other + ": the other access, by block [^\n]*: [^\n]*tile\\[[^\n]*\n  reproduce: "));
  };
  EXPECT_TRUE(says(load, store) || says(store, load)) << found.text;
  EXPECT_THAT(text_of("run.sarif"), AllOf(HasSubstr("\"uri\": \"jobs/pairs.cu\""), HasSubstr("\"ruleId\": \"race\"")));
}

TEST_F(ConformJob, AWrongValuePointsAtTheKernelThatWroteIt) {
  write("less", R"raw(// One is added.
__global__ void expected(float* y, const float* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}
__global__ void less(float* y, const float* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = x[i] - 1;
}
)raw",
        R"raw(, "oracle": {"kernel": "expected", "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"})raw");
  const Result found = conform("less.json --cases 5");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.text,
              AllOf(HasSubstr("  FAILED: wrong value\n"), HasSubstr("\nless.cu:6:17: wrong value: y[0] is ")));
  EXPECT_THAT(found.text, Not(HasSubstr("warning:")));
}

TEST_F(ConformJob, AnUnmodelledOperationIsReportedAndFailsIfRequested) {
  write("opaque", R"raw(__global__ void opaque(float* y, const float* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  if (i < n) y[i] = x[i] + 0 * id;
}
)raw");
  const Result plain = conform("opaque.json --cases 4 --junit run.xml");
  EXPECT_EQ(plain.code, 0) << plain.text;
  EXPECT_THAT(plain.text, AllOf(HasSubstr("  not modelled: "), HasSubstr("\nopaque.cu:4:3: not modelled: "),
                                HasSubstr("kernel not modelled\n")));
  EXPECT_THAT(text_of("run.xml"), HasSubstr("<skipped message=\"opaque.cu:4:3: not modelled: "));
  const Result strict = conform("opaque.json --cases 4 --fail-on skipped,not-modelled --junit run.xml");
  EXPECT_EQ(strict.code, 1) << strict.text;
  EXPECT_THAT(text_of("run.xml"), HasSubstr("<failure type=\"not modelled\" message=\"opaque.cu:4:3: not modelled: "));
  EXPECT_EQ(conform("opaque.json --cases 4 --fail-on warnings").code, 1) << "it has no oracle";
  EXPECT_EQ(conform("opaque.json --cases 4 --require-oracle").code, 1);
  const auto bare = conform("--cases 4");
  EXPECT_THAT(bare.text,
              AllOf(HasSubstr("the job files of this folder: "), HasSubstr("job:opaque"), Not(HasSubstr("reduce/"))));
}

TEST_F(ConformJob, ASourceThatDoesNotCompileIsAWrongCommand) {
  write("broken", R"raw(__global__ void broken(float* y, const float* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = x[i] + none;
}
)raw");
  const Result found = conform("broken.json --cases 4");
  EXPECT_EQ(found.code, 2) << found.text;
  EXPECT_THAT(found.text, AllOf(HasSubstr("\nbroken.cu:3:28: does not compile: "),
                                HasSubstr("exit code 2: the source of broken.json does not compile")));
}

TEST_F(ConformJob, AWrongOneDoesNotStopTheOthersOfItsFolder) {
  constexpr const char* kCopy =
      "(float* y, const float* x, int n) {\n"
      "  for (int i = threadIdx.x; i < n; i += BLOCK)\n    if (blockIdx.x == 0) y[i] = x[i];\n}\n";
  constexpr const char* kOracle = "void right(float* y, const float* x) { y[0] = x[0] + none; }\n";
  write("good", std::string("__global__ void good") + kCopy, R"(, "constraints": [])");
  write("bad", std::string("__global__ void bad") + kCopy, R"(, "bonds": 1)");
  write("ugly", std::string("__global__ void ugly") + kCopy + kOracle,
        R"(, "oracle": {"function": "right", "arguments": ["y", "x"]})");
  const Result run = conform("--cases 2 --junit run.xml --sarif run.sarif");
  EXPECT_EQ(run.code, 2) << run.text;
  EXPECT_THAT(run.text, AllOf(HasSubstr("conform: bad.json:"), HasSubstr("bad.json is refused; the other jobs"),
                              HasSubstr("job:good/good"), HasSubstr("1 kernel passed, 2 job files refused"),
                              HasSubstr("ugly.cu:5:"), HasSubstr("exit code 2: bad.json, ugly.json were refused")));
  EXPECT_THAT(text_of("run.xml"), AllOf(HasSubstr("classname=\"job file\" name=\"bad.json\""),
                                        HasSubstr("<failure type=\"refused job\" message=\"bad.json:")));
  EXPECT_THAT(text_of("run.sarif"), AllOf(HasSubstr("\"uri\": \"bad.json\""), HasSubstr("\"uri\": \"ugly.cu\"")));
  const Result all_wrong = conform("bad.json ugly.json --cases 2");
  EXPECT_EQ(all_wrong.code, 2) << all_wrong.text;
  EXPECT_THAT(all_wrong.text, AllOf(HasSubstr("bad.json:"), HasSubstr("ugly.cu:5:"), Not(HasSubstr("reduce/"))));
}

}  // namespace
}  // namespace warpwright::conformance
