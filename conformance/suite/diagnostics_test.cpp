// Tests of diagnostics: their format, their details, and where a kernel is defined.
#include "conformance/suite/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "conformance/checks/case_result.hpp"
#include "conformance/suite/text_kernel.hpp"
#include "kernels/core/text.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kDoubled = R"(
__global__ void text(const float* in, float* out, long long n) {
  if (threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x];
})";

simulator::Finding a_race() {
  return {.kind = FindingKind::race,
          .message = "load of 4 bytes races with a store by another thread",
          .entry = "warpwright::reduce::tree<float, warpwright::reduce::tree_params{.block_size = 32}>",
          .location = {.file = "sum.cu", .line = 12, .block = {1, 0, 0}, .thread = {3, 0, 0}, .column = 7},
          .other = {.file = "sum.cuh", .line = 4, .block = {1, 0, 0}, .thread = {0, 0, 0}, .column = 3},
          .buffer = "partial",
          .offset = 12,
          .address = 0x7f00};
}

Case a_case(const Catalogue& all) {
  const Kernel& kernel = all.kernels().front();
  return {.kernel = &kernel,
          .params = kernel.default_point,
          .problem = problems_of(all.pattern(kernel.pattern), kernel, host_device()).front(),
          .input = {.kind = "exact", .seed = 7},
          .law = {}};
}

class Diagnosed : public testing::Test {
 protected:
  Diagnostic of(const CaseResult& result) const { return diagnostic_of(all_, a_case(all_), result); }
  /// The diagnostic for a result without a finding.
  Diagnostic of(Verdict verdict, const std::string& detail) const { return of({.verdict = verdict, .detail = detail}); }

  const Catalogue all_ = TextKernel{.code = kDoubled}.catalogue_of();
};

TEST_F(Diagnosed, AFindingHasTheFormatOfACompilerErrorWithDetailsBelow) {
  const simulator::Finding race = a_race();
  const Diagnostic one = of({.verdict = Verdict::failed,
                             .finding = race.kind,
                             .found = race,
                             .detail = describe(race) + "; note: one older value; note: another"});
  EXPECT_EQ(headline(one), "sum.cu:12:7: race: load of 4 bytes races with a store by another thread");
  const std::string why = "\n" + wrapped(
                                     "  by block (1, 0, 0), thread (3, 0, 0); sum.cuh:4:3: the other access, by "
                                     "block (1, 0, 0), thread (0, 0, 0); note: one older value; note: another",
                                     100, 6);
  const std::string command = folded_command("  reproduce: " + one.repro, 100, 6) + "\n";
  EXPECT_EQ(text_of(one), headline(one) + why + command);
  EXPECT_EQ(text_of(one, true),
            headline(one) + why + "  at address 0x7f00, in tree<float, tree_params{.block_size = 32}>\n" + command);
  EXPECT_THAT(one.repro, testing::StartsWith("conform --repro 'kernel=copying/text "));
  EXPECT_TRUE(describe(race).starts_with(headline(one))) << "tune and the database have the same words";
}

TEST_F(Diagnosed, AFindingShowsTheTextOfItsLines) {
  simulator::Finding race = a_race();
  race.location.file = race.other.file = "copying/text.cuh";
  const auto line_of = [&](const std::string& words) {
    std::istringstream lines(all_.sources().at("copying/text.cuh"));
    int number = 0;
    for (std::string line; std::getline(lines, line);)
      if (++number; line.find(words) != std::string::npos) return number;
    return 0;
  };
  race.location.line = line_of("out[threadIdx.x] =");
  race.other.line = 100000;
  const Diagnostic one =
      of({.verdict = Verdict::failed, .finding = race.kind, .found = race, .detail = describe(race)});
  EXPECT_THAT(one.code, testing::MatchesRegex("if .*out\\[threadIdx.x\\] = .*"));
  EXPECT_EQ(one.other->code, "") << "the file has no such line";
  EXPECT_THAT(text_of(one), testing::HasSubstr("thread (3, 0, 0): " + one.code.substr(0, 10)));
}

TEST_F(Diagnosed, AResultWithoutALinePointsAtTheKernelsDefinition) {
  const Diagnostic one = of(Verdict::failed, "out[3] is 5 where 7 was expected (bound: exact); note: an older value");
  EXPECT_EQ(one.kind, "wrong value");
  EXPECT_EQ(one.message, "out[3] is 5 where 7 was expected (bound: exact)");
  EXPECT_THAT(one.more, ElementsAre("note: an older value"));
  const std::string text = all_.sources().at("copying/text.cuh");
  EXPECT_EQ(one.at.file, "copying/text.cuh");
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < one.at.line; ++i) std::getline(lines, line);
  EXPECT_EQ(line.substr(static_cast<std::size_t>(one.at.column) - 1, 5), "text(") << line;
}

TEST_F(Diagnosed, ACompilersFirstErrorGivesLocationAndMessage) {
  const Diagnostic gnu = of(Verdict::not_compiled,
                            "In file included from module.cpp:3:\nmine/k.cu:14:9: error: 'x' was not declared\n"
                            "   14 |   x = 1;\nmine/k.cu:15:1: error: another\n");
  EXPECT_EQ(headline(gnu), "mine/k.cu:14:9: does not compile: 'x' was not declared");
  EXPECT_EQ(gnu.more.size(), 4U);
  const Diagnostic nvidia = of(Verdict::not_compiled, "k.cu(7): error: identifier \"x\" is undefined\n");
  EXPECT_EQ(headline(nvidia), "k.cu:7:1: does not compile: identifier \"x\" is undefined");
  EXPECT_EQ(of(Verdict::not_compiled, "undefined reference to f").at.file, "copying/text.cuh");
}

TEST_F(Diagnosed, GpuResultsHaveTheSameKindsAsSimulatorFindings) {
  EXPECT_EQ(of(Verdict::failed, "wrote beside the buffer out").kind, "out of bounds");
  EXPECT_EQ(of(Verdict::failed, "changed its input in").kind, "input written");
  EXPECT_EQ(of(Verdict::failed, "left the self-restoring scratch s not zero").kind, "scratch not restored");
  EXPECT_EQ(of(Verdict::timed_out, "no answer in 4 s").kind, "hang");
  EXPECT_EQ(of(Verdict::crashed, "signal 11").kind, "crash");
  EXPECT_EQ(of(Verdict::not_modelled, "no answer").level, Level::note);
}

TEST_F(Diagnosed, EveryKindIsARuleWithTextAndItsOwnId) {
  std::set<std::string> ids;
  for (const DiagnosticKind& kind : diagnostic_kinds()) {
    EXPECT_TRUE(ids.insert(rule_id(kind.kind)).second) << kind.kind;
    EXPECT_TRUE(std::regex_match(rule_id(kind.kind), std::regex("[a-z]+(-[a-z]+)*"))) << kind.kind;
    EXPECT_TRUE(kind.words.ends_with('.') && kind.help.ends_with('.')) << kind.kind;
  }
  for (const FindingKind kind : all_finding_kinds())
    EXPECT_TRUE(ids.contains(kind == FindingKind::no_model ? "not-modelled" : rule_id(word_of(kind)))) << word_of(kind);
  for (const Verdict verdict : {Verdict::failed, Verdict::not_compiled, Verdict::not_launchable, Verdict::crashed,
                                Verdict::timed_out, Verdict::not_modelled})
    EXPECT_TRUE(ids.contains(rule_id(of(verdict, "words").kind))) << word_of(verdict);
}

TEST_F(Diagnosed, LinesFitAHundredColumnsButTheCommandStaysOnOneLine) {
  simulator::Finding race = a_race();
  race.message =
      "store of 4 bytes at byte 4 of shared array 'partial' of 1024 bytes races with a load by another thread";
  const Diagnostic one = of({.verdict = Verdict::failed, .finding = race.kind, .found = race});
  std::istringstream lines(text_of(one));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  const std::string text = text_of(one);
  EXPECT_THAT(text, testing::StartsWith("sum.cu:12:7: race: store of 4 bytes"));
  const std::size_t begin = text.find("--repro '") + 9;
  const std::string folded = text.substr(begin, text.rfind('\'') - begin);
  EXPECT_THAT(folded, HasSubstr(" \\\n"));
  EXPECT_EQ(parse_repro(all_, folded), parse_repro(all_, repro_line(a_case(all_))));
  EXPECT_EQ(one.repro.find('\n'), std::string::npos) << "reports have it in one line";
}

TEST(LoopAround, IsTheInnermostLoopThatContainsBothLocations) {
  const std::string text =
      "__global__ void k(float* p) {\n  p[0] = 1;\n  for (int i = 0; i < 9; ++i) {\n    p[i] = 2;\n"
      "    while (p[1] > i)\n      p[2] = p[3];\n  }\n}\n";
  const auto around = [&](int line, int column, int other_line, int other_column) {
    return loop_around(text, {.file = "k.cu", .line = line, .column = column},
                       {.file = "k.cu", .line = other_line, .column = other_column});
  };
  EXPECT_EQ(around(4, 10, 6, 14), 3);
  EXPECT_EQ(around(6, 12, 6, 14), 5);
  EXPECT_EQ(around(6, 12, 5, 12), 5) << "its condition is run in each pass";
  EXPECT_EQ(around(2, 8, 4, 10), std::nullopt);
}

TEST_F(Diagnosed, ARaceInALoopHintsThatTheIterationsMayDiffer) {
  const Catalogue all = TextKernel{.code = R"(
__global__ void text(const float* in, float* out, long long n) {
  for (int i = 0; i < n; ++i)
    out[i] = in[i];
})"}
                            .catalogue_of();
  simulator::Finding race = a_race();
  const std::string file = "copying/text.cuh";
  const Location at = definition_of(all, all.kernels().front());
  ASSERT_EQ(at.file, file);
  race.location = {.file = file, .line = at.line + 2, .column = 12};
  race.other = {.file = file, .line = at.line + 2, .column = 16};
  const auto words = [&] {
    return diagnostic_of(all, a_case(all), {.verdict = Verdict::failed, .finding = race.kind, .found = race})
        .other.value()
        .words;
  };
  EXPECT_THAT(words(), testing::EndsWith("maybe in another pass of the loop at line " + std::to_string(at.line + 1)));
  race.other.line = race.location.line = at.line;
  EXPECT_THAT(words(), testing::EndsWith("on the same line at another time"));
  race.other.line = at.line + 2;
  EXPECT_THAT(words(), testing::EndsWith("thread (0, 0, 0)"));
}

TEST(Definition, IsFoundAfterAttributesTemplatesAndCallsOfTheSameName) {
  const std::string text =
      "// sum(x)\n__device__ float twice(float x) { return 2 * x; }\ntemplate <int N>\n"
      "__global__ void __launch_bounds__(N) sum(float* out) { out[0] = twice(1); }\n"
      "void host() { sum<1><<<1, 1>>>(nullptr); }\n";
  EXPECT_EQ(definition_in("a.cu", text, "sum"), (Location{"a.cu", 4, 38}));
  EXPECT_EQ(definition_in("a.cu", text, "twice"), std::nullopt) << "no kernel";
  EXPECT_EQ(definition_in("a.cu", "__global__ void k() {}", "k"), (Location{"a.cu", 1, 17}));
}

}  // namespace
}  // namespace warpwright::conformance
