// Tests of what a run prints at its end.
#include "tuner/program/output.hpp"

#include <gmock/gmock.h>

#include "tuner/program/ending.hpp"

namespace warpwright::tuner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Totals of_run(int problems, int configurations) {
  Totals totals;
  totals.problems = problems;
  totals.configurations = configurations;
  return totals;
}

TEST(Summary, CountsProblemsConfigurationsAndTime) {
  EXPECT_EQ(summary(of_run(17, 5926), 139, true, "NVIDIA H200 (sm_90)"),
            "17 problems, 5,926 configurations measured in 2 min 19 s on NVIDIA H200 (sm_90)");
  EXPECT_EQ(summary(of_run(1, 89), 8.9, false, "Tesla T4 (sm_75)"),
            "1 problem, 89 configurations predicted in 8.9 s for Tesla T4 (sm_75). Nothing was measured.");
}

TEST(Summary, SaysHowManyProblemsHaveNoResult) {
  Totals totals = of_run(35, 19);
  totals.unanswered = 28;
  EXPECT_EQ(summary(totals, 30, false, "Tesla T4 (sm_75)"),
            "7 of 35 problems, 19 configurations predicted in 30 s for Tesla T4 (sm_75). Nothing was measured.");
  EXPECT_EQ(unsearched_text({"map 2^26 float", "eigen 16384 float, order=32"}),
            "no result for 2 problems, because the budget ran out: map 2^26 float; eigen 16384 float, order=32. Give "
            "more --budget.");
  EXPECT_THAT(unsearched_text(std::vector<std::string>(28, "map")), testing::HasSubstr("map; map and 24 more."));
}

TEST(Summary, SaysInPlainWordsWhatCannotBeUsed) {
  Totals totals = of_run(17, 5926);
  totals.faults.add(Verdict::too_slow);
  totals.faults.add(Verdict::passed);
  EXPECT_EQ(summary(totals, 139, true, "NVIDIA H200 (sm_90)"),
            "17 problems, 5,926 configurations measured, 1 too slow, in 2 min 19 s on NVIDIA H200 (sm_90)");
  EXPECT_THAT(totals.faults.gravest(), IsEmpty()) << "there is nothing to look up";
  EXPECT_FALSE(totals.has_wrong());
  totals.faults.add(Verdict::timed_out);
  totals.faults.add(Verdict::failed);
  totals.faults.add(Verdict::failed);
  totals.faults.add(Verdict::not_compiled);
  totals.failing = 1;
  EXPECT_EQ(faults_text(totals),
            "2 wrong, 1 timed out, 1 did not compile, 1 too slow, 1 counterexample of earlier runs still fails");
  EXPECT_EQ(totals.faults.gravest(), "failed");
  EXPECT_EQ(totals.faults.wrong(), 4);
}

TEST(TimeOfConfigurations, HasALineForEachPatternThatWasMeasured) {
  TrialSeconds sort{.count = 2, .all = 3, .samples = 0.5, .compiling = 1.5};
  sort.parts.add({.runs = 3, .setting_up = 250000, .restoring = 1e6, .verifying = 400000, .comparing = 600000});
  const Screen screen{.width = 120};
  const std::string text = time_of_configurations({{"reduce", {}}, {"sort", sort}}, screen);
  EXPECT_THAT(text, testing::ContainsRegex("sort +2 +1500.00 +500.00 +200.00 +300.00 +250.00 +250.00 +0.25 +1.50\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("reduce")));
  EXPECT_EQ(time_of_configurations({{"reduce", {}}}, screen), "");
}

TEST(Summary, ImplausiblyFastTimesAreReportedButAreNoFaultOfTheKernel) {
  Totals totals = of_run(1, 2);
  totals.faults.add(Verdict::mistrusted);
  EXPECT_EQ(faults_text(totals), "1 too fast to be true");
  EXPECT_FALSE(totals.has_wrong());
  totals.failing = 1;
  EXPECT_TRUE(totals.has_wrong());
}

TEST(Summary, SaysWhatWasKnownFromEarlierRuns) {
  TuneOutcome outcome;
  outcome.configurations = 3;
  outcome.resumed = 1007;
  outcome.shared = 7;
  Totals totals;
  totals.add(outcome);
  EXPECT_EQ(summary(totals, 1, true, "X (sm_90)"),
            "1 problem, 3 configurations measured, 1,000 known from earlier runs, 7 known from another run beside this "
            "one, in 1.0 s on X (sm_90)");
}

SearchedProblem searched_for(const std::string& pattern, std::int64_t evaluated, std::int64_t configurations,
                             bool only_defaults = false) {
  return {.pattern = pattern,
          .searched = {.evaluated = evaluated, .configurations = configurations, .only_defaults = only_defaults}};
}

TEST(GoingOn, IsSuggestedForPatternsWithHardlyAnySearch) {
  EXPECT_THAT(
      hardly_searched({searched_for("sort", 9, 1000), searched_for("scan", 10, 1000), searched_for("sort", 1, 1000),
                       searched_for("map", 1, 20, true), searched_for("old", 5, 0), searched_for("one", 1, 1, true)}),
      ElementsAre("sort", "map"));
}

TEST(GoingOn, AllowsAFiftiethOfEachSpaceAtTheRateOfTheRun) {
  EXPECT_EQ(budget_to_go_on({searched_for("sort", 0, 60000)}, 10), "2m") << "1200 configurations";
  EXPECT_EQ(budget_to_go_on({searched_for("map", 1, 200, true)}, 10), "1m") << "a hundred, and a minute at least";
  EXPECT_EQ(budget_to_go_on({searched_for("map", 1, 4, true)}, 0.05), "1m") << "three are left";
  EXPECT_EQ(budget_to_go_on({searched_for("sort", 0, 100000000)}, 1), "60m");
  EXPECT_EQ(budget_to_go_on({searched_for("sort", 0, 60000)}, 0), "2m") << "no rate is known";
  EXPECT_EQ(budget_to_go_on({searched_for("sort", 0, 60000), searched_for("scan", 20000, 60000)}, 10), "2m");
}

TEST(GoingOn, RepeatsTheCommandOfTheRunForThosePatterns) {
  Options options;
  options.arch = "native";
  EXPECT_EQ(go_on_command(options, {"sort", "matmul"}, "2m"),
            "tune --arch native --pattern sort --pattern matmul --budget 2m");
  EXPECT_EQ(settings_command(options, "sm_90"), "tunedb best -v --arch sm_90");
  options.board = "RTX 2070";
  options.db = "/tmp/my file.db";
  options.predict = true;
  options.request.globs = {"sort/radix*", "matmul"};
  options.request.types = {"unsigned int"};
  options.request.sizes = {"2^24"};
  options.request.with = {"items=pairs"};
  EXPECT_EQ(go_on_command(options, {"sort", "matmul"}, "5m"),
            "tune --arch native --board 'RTX 2070' --pattern 'sort/radix*' --pattern matmul --size '2^24' --type "
            "'unsigned int' --with items=pairs --predict --db '/tmp/my file.db' --budget 5m");
  EXPECT_EQ(settings_command(options, "sm_90"), "tunedb best -v --arch sm_90 --db '/tmp/my file.db'");
  Options job;
  job.arch = "sm_75";
  job.jobs = {"blur.json"};
  EXPECT_EQ(go_on_command(job, {"job:blur"}, "1m"), "tune blur.json --arch sm_75 --budget 1m");
}

TEST(GoingOn, NamesNoPatternIfMostNeedMore) {
  Options options;
  options.arch = "sm_75";
  const std::vector<SearchedProblem> problems{searched_for("sort", 0, 1000), searched_for("scan", 1, 1000, true),
                                              searched_for("map", 20, 20)};
  EXPECT_EQ(patterns_to_go_on(options, problems), std::vector<std::string>{});
  EXPECT_EQ(go_on_command(options, {}, "2m"), "tune --arch sm_75 --budget 2m");
  options.request.globs = {"s*", "map"};
  EXPECT_THAT(patterns_to_go_on(options, problems), ElementsAre("sort", "scan"));
  options.request.globs = {};
  EXPECT_THAT(patterns_to_go_on(options, {problems[0], problems[2]}), ElementsAre("sort"));
}

TEST(LastLines, AbbreviateTheHomeFolder) {
  EXPECT_EQ(from_home("/home/me/.local/x", "/home/me"), "~/.local/x");
  EXPECT_EQ(from_home("/home/mellow/x", "/home/me"), "/home/mellow/x");
  EXPECT_EQ(from_home("/tmp/x", nullptr), "/tmp/x");
  EXPECT_EQ(from_home("/x", "/"), "/x");
}

TEST(LastLines, AreOnOneLineIfTheyFit) {
  EXPECT_EQ(side_by_side("left", "right", 100), "left" + std::string(41, ' ') + "right\n");
  EXPECT_EQ(side_by_side("left", "right", 20), "left   right\n");
  EXPECT_EQ(side_by_side("left", "right", 10), "left\nright\n");
  EXPECT_EQ(side_by_side("left", "", 10), "left\n");
}

}  // namespace
}  // namespace warpwright::tuner
