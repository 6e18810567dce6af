// Tests of the table of a suite, its summary, and what --fail-on makes a failure.
#include "conformance/program/suite_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/checks/case_result.hpp"
#include "conformance/program/status_line.hpp"
#include "conformance/properties/remarks.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

PropertyReport passed_by(const Kernel& kernel) {
  PropertyReport report;
  report.kernel = &kernel;
  report.cases = 200;
  report.seconds = 3.21;
  report.worst_error_ratio = 0.4;
  return report;
}

const Kernel& a_kernel() {
  return catalogue().kernel("transpose/copy");
}

TEST(SuiteTable, HasOneLinePerKernelUnderItsColumnHeads) {
  const SuiteTable table({"transpose/copy", "reduce/tree"}, {});
  EXPECT_EQ(table.header(), "KERNEL                      CASES       TIME  OF BOUND  VERDICT");
  EXPECT_EQ(table.row(passed_by(a_kernel())), "transpose/copy                200      3.2 s      0.40  passed");
  PropertyReport none = passed_by(a_kernel());
  none.cases = 0;
  EXPECT_EQ(table.row(none), "transpose/copy                  0          -         -  not run");
}

TEST(SuiteTable, FitsAHundredColumnsWhateverTheContent) {
  Kernel kernel = a_kernel();
  kernel.pattern = std::string(60, 'p');
  const SuiteTable table({kernel.full_name()}, {});
  PropertyReport report = passed_by(kernel);
  report.not_modelled = std::string(300, 'x');
  report.unmodelled = 3;
  const std::string row = table.row(report);
  EXPECT_LE(row.size(), 100U);
  EXPECT_THAT(row, AllOf(HasSubstr("not modelled: xxx"), EndsWith("...")));
  EXPECT_LE(table.header().size(), 100U);
}

TEST(SuiteTable, SaysThatValuesWereNotChecked) {
  PropertyReport report = passed_by(a_kernel());
  report.caveats = {"values were not checked: without an oracle, the only configuration is compared with itself"};
  EXPECT_THAT(SuiteTable({}, {}).row(report), EndsWith("  passed, values not checked"));
  SuiteReport suite{.properties = {report}};
  EXPECT_THAT(summary_of(suite, {}, 0, "host/sm_90", 1), EndsWith(": all passed; values were not checked"));
  suite.properties.push_back(passed_by(a_kernel()));
  EXPECT_THAT(summary_of(suite, {}, 0, "host/sm_90", 1), EndsWith(": all passed; values of 1 kernel were not checked"));
}

TEST(SuiteTable, SaysHowManyFindingsWereTolerated) {
  PropertyReport report = passed_by(a_kernel());
  report.add({.finding = {.rule = StrictRule::early_exit, .location = "a:1", .text = "t"}, .cases = 5});
  EXPECT_THAT(SuiteTable({}, {}).row(report), EndsWith("passed, 1 tolerated"));
  EXPECT_THAT(verbose_lines(report), testing::Contains(HasSubstr("tolerated (early_exit): t; reason: ")));
}

TEST(Summary, CountsJobFilesThatWereRefused) {
  SuiteReport report;
  report.properties = {passed_by(a_kernel())};
  EXPECT_THAT(summary_of(report, {}, 2, "host/sm_90", 1), EndsWith(": 1 kernel passed, 2 job files refused"));
}

TEST(Summary, CountsKernelsThatDidNotPass) {
  SuiteReport report;
  report.seconds = 2;
  report.properties = {passed_by(a_kernel())};
  EXPECT_EQ(summary_of(report, {}, 0, "host/sm_90", 7),
            "200 cases of 1 kernel in 2.0 s on host/sm_90, seed 7: all passed");
  report.properties.resize(4, passed_by(a_kernel()));
  report.properties[1].not_modelled = "inline PTX";
  report.properties[2].cases = 0;
  report.properties[3].cases = 0;
  report.properties[3].skipped = "needs sm_100";
  EXPECT_THAT(
      summary_of(report, {}, 0, "host/sm_90", 7),
      EndsWith("4 kernels in 2.0 s on host/sm_90, seed 7: 1 kernel passed, 1 NOT RUN, 1 not modelled, 1 skipped"));
  report.properties = {passed_by(a_kernel())};
  report.properties[0].counterexample = Case{};
  report.properties[0].failure.verdict = Verdict::failed;
  report.properties[0].cases = 1;
  EXPECT_THAT(summary_of(report, {}, 0, "host/sm_90", 7), EndsWith("seed 7: 1 kernel FAILED"));
}

TEST(SuiteTable, HasNoShareOfTheBoundIfNothingWasCompared) {
  PropertyReport raced = passed_by(a_kernel());
  raced.cases = 1;
  raced.counterexample = Case{};
  raced.failure = {.verdict = Verdict::failed, .finding = FindingKind::race};
  const SuiteTable table({"transpose/copy"}, {});
  EXPECT_EQ(table.row(raced), "transpose/copy                  1      3.2 s         -  FAILED: race");
  raced.failure = {.verdict = Verdict::failed, .error_ratio = 12.5};
  EXPECT_EQ(table.row(raced), "transpose/copy                  1      3.2 s     12.50  FAILED: wrong value");
  raced.counterexample->law = kDeterminism;
  EXPECT_THAT(table.row(raced), EndsWith("FAILED: not deterministic"));
  PropertyReport opaque = passed_by(a_kernel());
  opaque.not_modelled = "inline PTX";
  opaque.unmodelled = opaque.cases;
  EXPECT_EQ(share_of_bound(opaque), std::nullopt);
}

TEST(VerboseLines, SayThatDiscardedCasesAreNotAmongThoseThatRan) {
  PropertyReport report = passed_by(a_kernel());
  report.refused = 6;
  EXPECT_THAT(verbose_lines(report), testing::Contains("6 drawn cases replaced: the kernel does not support them"));
  report.refused = 1;
  EXPECT_THAT(verbose_lines(report), testing::Contains("1 drawn case replaced: the kernel does not support it"));
}

TEST(ProgressText, SaysHowFarARunIsAndWhatFailed) {
  EXPECT_EQ(progress_text({.kernels = 1, .seconds = 14.2}), "0 of 1 kernel done; 14 s");
  EXPECT_EQ(progress_text({.kernels = 12, .done = 3, .failed = 1, .cases = 600, .seconds = 190}),
            "3 of 12 kernels done, 1 FAILED; 3 min 10 s");
}

TEST(ProgressText, CountsCasesWhereNoKernelIsDoneBeforeTheTimeIsOver) {
  EXPECT_EQ(progress_text({.kernels = 12, .cases = 1240, .seconds = 45, .seconds_left = 130}),
            "12 kernels, 1,240 cases; 45 s, 2 min left");
  EXPECT_EQ(progress_text({.kernels = 1, .failed = 1, .cases = 1, .seconds = 5400, .seconds_left = 4}),
            "1 kernel, 1 case, 1 FAILED; 1 h 30 min, a few seconds left");
}

TEST(FailOn, MakesErrorsOnlyOfWhatIsRequested) {
  PropertyReport report = passed_by(a_kernel());
  report.not_modelled = "inline PTX";
  report.unmodelled = 3;
  report.caveats = {"values were not checked: without an oracle, they are compared with others"};
  const auto plain = diagnostics_of(catalogue(), report, {});
  ASSERT_THAT(plain, SizeIs(1));
  EXPECT_EQ(plain[0].level, Level::note);
  EXPECT_EQ(plain[0].kind, "not modelled");
  EXPECT_FALSE(has_error(plain));
  EXPECT_TRUE(has_error(diagnostics_of(catalogue(), report, fail_on({"not-modelled"}))));
  const auto all = diagnostics_of(catalogue(), report, fail_on({"warnings", "skipped", "tolerated"}));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[1].kind, "warning");
  EXPECT_THAT(diagnostics_of(catalogue(), passed_by(a_kernel()), fail_on(fail_on_words())), IsEmpty());
  EXPECT_TRUE(has_error(diagnostics_of(catalogue(), report, {.no_oracle = true})));
  report.caveats = {"the bound is guessed"};
  EXPECT_FALSE(has_error(diagnostics_of(catalogue(), report, {.no_oracle = true}))) << "it has an oracle";
  PropertyReport skipped = passed_by(a_kernel());
  skipped.cases = 0;
  skipped.skipped = "needs sm_100";
  EXPECT_TRUE(has_error(diagnostics_of(catalogue(), skipped, fail_on({"skipped"}))));
  PropertyReport tolerated = passed_by(a_kernel());
  tolerated.add({.finding = {.rule = StrictRule::early_exit, .location = "a:1", .text = "t"}, .cases = 5});
  tolerated.tolerated[0].finding.found.message = "a thread left";
  const auto found = diagnostics_of(catalogue(), tolerated, fail_on({"tolerated"}));
  EXPECT_TRUE(has_error(found));
  EXPECT_EQ(found.at(0).kind, "tolerated");
  EXPECT_EQ(found.at(0).message, std::string(word_of(FindingKind{})) + ": a thread left");
  EXPECT_THROW(fail_on({"everything"}), std::invalid_argument);
}

TEST(FailOn, NamesTheOptionsThatAskForAFailure) {
  const FailOn oracle{.no_oracle = true};
  EXPECT_THAT(oracle.options(), testing::ElementsAre("--require-oracle"));
  EXPECT_THAT(fail_on({"tolerated"}).options(), testing::ElementsAre("--fail-on"));
  EXPECT_TRUE(oracle.has_warning("values were not checked: without an oracle, they are compared with others"));
  EXPECT_FALSE(oracle.has_warning("the bound is guessed"));
}

}  // namespace
}  // namespace warpwright::conformance
