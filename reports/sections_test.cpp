// Tests of the sections of a problem's page and of the index.
#include <gmock/gmock.h>

#include <regex>

#include "db/query/progress.hpp"
#include "reports/model_fixture.hpp"
#include "reports/parts.hpp"

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using SectionsTest = ModelTest;

// The options of a command are in spans, which are not broken at their dashes.
std::string without_spans(const std::string& html) {
  return std::regex_replace(html, std::regex("</?span>"), "");
}

TEST_F(SectionsTest, TheRooflineShowsOperationsPerTracedByte) {
  Rows rows = in_a_session();
  const db::Id configuration = measured_reduction(rows, 10);
  EXPECT_THAT(
      without_spans(section("sm_90-reduce", "roofline")),
      AllOf(HasSubstr("<code>tune --predict --arch sm_90 --board &#39;NVIDIA H200&#39; --pattern reduce --type float "
                      "--size 1048576 --with op=sum,data=uniform</code>"),
            HasSubstr("<use href='#m-untraced' x='0%'"), HasSubstr("1 sequential: 105 Gop/s, bytes not traced")));
  EXPECT_THAT(section("sm_90-reduce", "model"), HasSubstr("is also predicted. To compare: <code>tune <span>--predict"));
  rows.access(configuration, 4, 1);  // 1,100 requests of 4 sectors of 32 bytes by 1,024 threads: 64 times as many here
  const std::string roofline = section("sm_90-reduce", "roofline");
  EXPECT_THAT(roofline, HasSubstr("1 sequential: 105 Gop/s, 0.116 operations a byte, 10.0 \u00B5s"));
  EXPECT_THAT(roofline, AllOf(HasSubstr("memory: 4,290 GB/s<tspan class='full'>, a copy</tspan>"),
                              HasSubstr("least bytes"), Not(HasSubstr("To trace them"))));
  rows.kernel("reduce", "grid_stride", grid_stride_axes, "{.block_size = 128}");
  store_.add_trial(rows.measured(rows.configuration({{"block_size", 64}}), 20));
  EXPECT_THAT(section("sm_90-reduce", "roofline"),
              HasSubstr("Kernels at the left edge were not traced. To trace them: <code>tune <span>--predict"));
}

TEST_F(SectionsTest, TheResultHasTheEnergyTheAccuracyAndTheTimeInAGraph) {
  Rows rows = in_a_session();
  rows.problem("reduce", "op=sum", "1048576", 4);
  rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
  db::Trial trial = rows.measured(rows.configuration({{"block_size", 64}}), 7);
  trial.joules = 0.0021;
  trial.replay_us = 5.25;
  trial.relative_error = 1e-7;
  trial.error_ulp = 1.25;
  store_.add_trial(trial);
  EXPECT_THAT(section("sm_90-reduce", "result"),
              AllOf(HasSubstr("<dt>energy of a run</dt><dd>2.1 <small>mJ</small>"),
                    HasSubstr("<dt>graph replay</dt><dd>5.25 <small>\u00B5s</small>"),
                    HasSubstr("<dt>accuracy</dt><dd>7.0 <small>digits, 1.25 ulp</small>")));
}

TEST_F(SectionsTest, StepsNameTheLongestOneAndTheSavingByOverlap) {
  Rows rows = in_a_session();
  const db::Id best = reduce(rows, "1048576", "sequential", 64, 70);
  EXPECT_THAT(section("sm_90-reduce", "steps"), IsEmpty());
  const auto step = [&](int number, const char* kind, const char* name, int stream, double start, double us) {
    store_.put_step({.trial_id = best,
                     .number = number,
                     .kind = kind,
                     .name = name,
                     .stream = stream,
                     .start_us = start,
                     .end_us = start + us,
                     .us = us});
  };
  step(0, "copy to GPU", "input", 0, 0, 30);
  step(1, "launch", "sum<128>", 1, 10, 60);
  step(2, "memset", "out", 0, 30, 10);
  const std::string steps = section("sm_90-reduce", "steps");
  EXPECT_THAT(steps, HasSubstr("sum takes most, 60.0 % of their sum"));
  EXPECT_THAT(steps, HasSubstr("Overlapping saves 75.0 % of what it could save at best")) << "100, 70 and 60 us";
  EXPECT_THAT(steps, HasSubstr("input (copy to GPU): 30.0 \u00B5s, 30.0 %"));
  step(3, "launch", "warpwright::reduce::sum<64>", 1, 70, 20);
  EXPECT_THAT(section("sm_90-reduce", "steps"), HasSubstr("sum \u00D7 2: 80.0 \u00B5s, 66.7 %"))
      << "launches of one kernel count as one step";
}

TEST_F(SectionsTest, PredictedStepsSayThatTheyArePredicted) {
  Rows rows = in_a_session();
  rows.problem("reduce", "op=sum", "1048576", 4);
  rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
  const db::Id trial = store_.add_trial(rows.predicted(rows.configuration({{"block_size", 64}}), 50));
  store_.put_step({.trial_id = trial, .number = 0, .kind = "launch", .name = "partial<64>", .end_us = 40, .us = 40});
  store_.put_step(
      {.trial_id = trial, .number = 1, .kind = "launch", .name = "last<64>", .start_us = 40, .end_us = 50, .us = 10});
  EXPECT_THAT(section("sm_90-reduce", "steps"),
              AllOf(HasSubstr("Predicted, launches only: partial takes most, 80.0 % of their sum"),
                    Not(HasSubstr("timed alone"))));
}

TEST_F(SectionsTest, SizesNameTheBestKernelAtEachAndIncludeNoPredictions) {
  Rows rows = in_a_session();
  for (const auto& [shape, small, large] :
       {std::tuple{"1024", 4.0, 8.0}, std::tuple{"32768", 20.0, 16.0}, std::tuple{"1048576", 200.0, 100.0}}) {
    reduce(rows, shape, "small", 64, small);
    reduce(rows, shape, "large", 64, large);
  }
  rows.baseline("cub", "device_reduce", "", true, 125);
  const std::string sizes = section("sm_90-reduce-1048576", "sizes");
  EXPECT_THAT(sizes, HasSubstr("From small to large the best are small and large."));
  EXPECT_THAT(sizes, HasSubstr("best, 2\u00B9\u2070: 4.00 \u00B5s"));
  EXPECT_THAT(sizes, HasSubstr("best, 2\u00B2\u2070: 100.0 \u00B5s"));
  EXPECT_THAT(sizes, HasSubstr("The fastest: 2 small at 2\u00B9\u2070; 1 large at 2\u00B9\u2075 to 2\u00B2\u2070"));
  EXPECT_THAT(sizes, HasSubstr("CUB, 2\u00B2\u2070: 1.250"));
  reduce(rows, "16777216", "large", 64, 2000, false);
  EXPECT_EQ(section("sm_90-reduce-1048576", "sizes"), sizes) << "a predicted time is on no line of measured ones";
  EXPECT_THAT(section("sm_90-reduce-16777216", "sizes"), IsEmpty());
}

TEST_F(SectionsTest, TheSearchSaysWhenItWasNearItsBest) {
  Rows rows = in_a_session();
  int block = 0;
  for (const double us : {20.0, 10.5, 12.0, 10.0}) reduce(rows, "1048576", "sequential", block += 32, us);
  rows.space(8);
  EXPECT_THAT(section("sm_90-reduce", "search"),
              AllOf(HasSubstr("was there after 2 of 4 trials of the longest session"),
                    HasSubstr("Evaluated in all sessions: 4 of 8 configurations (50 %)")));
}

TEST_F(SectionsTest, ForFewTrialsThereIsNoChartOfTheSearch) {
  Rows rows = in_a_session();
  reduce(rows, "1048576", "sequential", 32, 20);
  rows.space(8);
  EXPECT_THAT(section("sm_90-reduce", "search"),
              AllOf(HasSubstr("Evaluated in all sessions: 1 of 8"), Not(HasSubstr("<svg role='img'"))));
  reduce(rows, "1048576", "grid_stride", 64, 20);
  reduce(rows, "1048576", "sequential", 64, 20);
  EXPECT_THAT(section("sm_90-reduce", "search"), Not(HasSubstr("<svg role='img'"))) << "one trial is no line";
  reduce(rows, "1048576", "sequential", 128, 20);
  EXPECT_THAT(section("sm_90-reduce", "search"), HasSubstr("<svg role='img'"));
}

TEST_F(SectionsTest, OneParamHasAMapOfOneRow) {
  Rows rows = in_a_session();
  for (int i = 1; i <= 5; ++i) reduce(rows, "1048576", "sequential", 32 * i, 10 * i);
  EXPECT_THAT(section("sm_90-reduce", "params"),
              AllOf(HasSubstr("block_size explains the largest share of the differences between the times of "
                              "sequential (100 %)"),
                    HasSubstr("<caption>block_size across; "), HasSubstr("<label class=js-only hidden>down")));
}

TEST_F(SectionsTest, EveryKernelHasItsLinesAndOnlyTheBestKernelsAreShown) {
  Rows rows = in_a_session();
  for (int i = 1; i <= 5; ++i) {
    reduce(rows, "1048576", "slow", 32 * i, 20 * i);
    reduce(rows, "1048576", "fast", 32 * i, 10 * i);
  }
  const std::string lines = section("sm_90-reduce", "configurations");
  EXPECT_THAT(lines,
              AllOf(HasSubstr("<div class=lines-of data-kernel=\"fast\"><div class='parallel few'>"),
                    HasSubstr("<script type=text/html class=lines-of data-kernel=\"slow\"><div class='parallel")))
      << "the page's script makes elements of the text";
}

TEST_F(SectionsTest, ACounterexampleIsShownOnceWithItsCommand) {
  Rows rows = in_a_session();
  reduce(rows, "1048576", "sequential", 64, 10);
  store_.saw_counterexample({.pattern = "reduce",
                             .kernel = "sequential",
                             .repro = "kernel=reduce/sequential",
                             .detail = "a race; reproduce: conform --repro 'kernel=reduce/sequential'"});
  EXPECT_THAT(section("sm_90-reduce", "correctness"),
              AllOf(HasSubstr("<p>sequential: a race</p>"), HasSubstr(">conform --repro ")));
  EXPECT_THAT(section("index", "nights"), AllOf(HasSubstr("No run of conform is stored. Counterexamples: 1 open"),
                                                HasSubstr("<td data-head=\"finding\">a race</td>")));
}

TEST_F(SectionsTest, AKernelThatArithmeticLimitsHasARateOfOperations) {
  Rows rows = in_a_session();
  reduce(rows, "1048576", "sequential", 64, 10);
  EXPECT_THAT(section("sm_90-reduce", "result"), AllOf(HasSubstr("moves at least"), HasSubstr("GB/s")));
  db::Problem problem = store_.problems().at(0);
  problem.operations = 1e9;
  problem.arithmetic = "float";
  store_.upsert(problem);
  db::Session session = store_.sessions().at(0);
  session.float_gflops = 50000;
  store_.update_session(session.id, session);
  EXPECT_THAT(section("sm_90-reduce", "result"),
              AllOf(HasSubstr("at a rate of"), HasSubstr("<dd>100 <small>TFLOP/s"), Not(HasSubstr("moves at least"))));
}

TEST_F(SectionsTest, TheModelIsRatedByTheOrderOfItsTimesAndByItsFirstChoice) {
  Rows rows = in_a_session();
  for (int i = 1; i <= 5; ++i) {
    reduce(rows, "1048576", "sequential", 32 * i, 10 * i);
    reduce(rows, "1048576", "sequential", 32 * i, i, false);
  }
  EXPECT_THAT(section("sm_90-reduce", "model"),
              AllOf(HasSubstr("over 5 configurations; rank correlation of all: 1.00"),
                    HasSubstr("1 sequential: predicted 1.00, measured 10.0 \u00B5s"),
                    HasSubstr("the shortest predicted time is 0.0 % slower than the best")));
  reduce(rows, "1048576", "sequential", 512, 12);
  reduce(rows, "1048576", "sequential", 512, 0.5, false);
  EXPECT_THAT(section("sm_90-reduce", "model"),
              AllOf(HasSubstr("rank correlation of all: 0.94"), HasSubstr("predicted time is 20.0 % slower")));
}

TEST_F(SectionsTest, MutantsAreCountedByOutcomeAndSurvivorsNamed) {
  fill(store_);
  const std::string mutants = section("index", "mutants");
  EXPECT_THAT(mutants, AllOf(HasSubstr("1 of 3 mutants survived."), HasSubstr("1 killed"), HasSubstr("1 equivalent"),
                             HasSubstr("1 survived"), HasSubstr("kernels/reduce/sequential.cuh:27")));
  EXPECT_THAT(section("sm_90-reduce", "correctness"), HasSubstr("1 survived"));
  EXPECT_THAT(section("sm_90-transpose", "correctness"), HasSubstr("no verdict on this pattern is stored"));
}

TEST_F(SectionsTest, ASurvivingMutantIsABannerIfNothingFails) {
  Rows rows = in_a_session();
  reduce(rows, "1048576", "sequential", 64, 10);
  store_.put_mutant({.kernel = "reduce/sequential", .rule = "remove a barrier", .outcome = "survived"});
  EXPECT_THAT(page("index"), HasSubstr("1 mutant</a> survived every check"));
}

TEST_F(SectionsTest, APublishedFigureSaysWhyNothingIsComparedWithIt) {
  Rows rows = in_a_session();
  rows.problem("convolution", "", "1024x1024", 4);
  rows.kernel("convolution", "tiled", tiled_axes, "{.tile_dim = 32}");
  store_.add_trial(rows.measured(rows.configuration({{"tile_dim", 32}}), 100));
  const std::string published = section("sm_90-convolution", "published");
  EXPECT_THAT(
      published,
      HasSubstr(
          "<th scope=row>convolution, tiles in shared memory</th><td data-head=\"their board\">V100 (sm_70)</td>"));
  EXPECT_THAT(published, AllOf(HasSubstr("287 us"), HasSubstr("not comparable: its size was not published")));
  EXPECT_THAT(published, HasSubstr("None is of a problem, size and kernel that were timed here"));
}

TEST_F(SectionsTest, ARateThatWasNotMeasuredIsNotKnown) {
  Rows rows = in_a_session();
  reduce(rows, "1048576", "sequential", 64, 10);
  db::Session session = store_.sessions().at(0);
  session.bus_to_host_gbs.reset();
  store_.update_session(session.id, session);
  EXPECT_THAT(section("index", "sessions"),
              AllOf(HasSubstr(">55 / not known</td>"), HasSubstr("Rates are those measured")));
  session.copy_gbs.reset();
  store_.update_session(session.id, session);
  EXPECT_THAT(section("index", "sessions"), AllOf(Not(HasSubstr("copy GB/s")), Not(HasSubstr("Rates are"))));
}

TEST_F(SectionsTest, ChangesCountOnlyComparableTimesAndNameTheDifferencesOfEachBoard) {
  Rows rows(store_);
  for (const char* board : {"NVIDIA H100", "NVIDIA H200"}) {
    rows.board(board, "sm_90", 132, 4800);
    rows.environment("580");
    rows.session(std::string("2026-11-19T0") + board[8] + ":00:00.000Z", 40);
    reduce(rows, "1048576", "sequential", 64, 10);
    reduce(rows, "2097152", "sequential", 64, 20);
    rows.environment("585");
    rows.session(std::string("2026-11-20T0") + board[8] + ":00:00.000Z", 40);
    reduce(rows, "1048576", "sequential", 64, 11);
    reduce(rows, "2097152", "sequential", 128, 5);  // not tried before
  }
  const std::string changes = section("index", "changes");
  EXPECT_THAT(
      changes,
      HasSubstr(
          "Of 4 problems whose best has a new time, 2 got slower by more than 1 %, 0 faster with the params "
          "of before. 2 have a new best: reduce 2\u00B2\u00B9 \u221275.0 % and reduce 2\u00B2\u00B9 \u221275.0 %."));
  for (const char* board : {"NVIDIA H100", "NVIDIA H200"})
    EXPECT_THAT(changes,
                HasSubstr(std::string("Between the sessions on ") + board + " differ: driver 580 \u2192 585."));
}

TEST_F(SectionsTest, TheLargestErrorIsOneOfARightResult) {
  Rows rows = in_a_session();
  rows.problem("reduce", "op=sum", "1048576", 4);
  rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
  db::Trial right = rows.measured(rows.configuration({{"block_size", 64}}), 9.531);
  right.error_ratio = 0.02;
  store_.add_trial(right);
  db::Trial wrong = rows.measured(rows.configuration({{"block_size", 128}}), 10);
  wrong.error_ratio = 5;
  wrong.verdict = "failed";
  store_.add_trial(wrong);
  EXPECT_THAT(section("sm_90-reduce", "correctness"), HasSubstr("no kernel used more than 2.0 % of the error"));
}

TEST_F(SectionsTest, CasesOfAKernelAreThoseOfTheNewestRunThatHasIt) {
  Rows rows = in_a_session();
  rows.problem("reduce", "op=sum", "1048576", 4);
  rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
  db::Trial trial = rows.predicted(rows.configuration({{"block_size", 64}}), 10);
  trial.simulated_cases = 40;
  store_.add_trial(trial);
  const auto run = [&](const char* day, const char* kernel, int cases) {
    store_.begin_conformance_run(
        {.uid = day,
         .target = "host/sm_90",
         .glob = kernel,
         .started_at = std::string("2026-11-") + day,
         .progress = db::progress_text({{.kernel = kernel, .cases = cases, .verdict = "passed"}})});
  };
  run("18", "reduce/sequential", 900);
  run("19", "reduce/sequential", 200);
  run("20", "sort/merge", 7);
  EXPECT_THAT(section("sm_90-reduce", "correctness"),
              AllOf(HasSubstr("conform cases</th>"), HasSubstr("<td class=\"n\">200</td>"),
                    HasSubstr("simulated cases</th>"), HasSubstr("<td class=\"n\">40</td>")));
}

TEST_F(SectionsTest, TheWarningsOfTheBestAreSaid) {
  Rows rows = in_a_session();
  rows.problem("reduce", "op=sum", "1048576", 4);
  rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
  db::Trial trial = rows.measured(rows.configuration({{"block_size", 64}}), 9.531);
  trial.warnings = "zeros pass 57 of 60 cases: the bound proves nothing";
  store_.add_trial(trial);
  EXPECT_THAT(section("sm_90-reduce", "correctness"), HasSubstr(" Warning: zeros pass 57 of 60 cases: the bound"));
}

TEST_F(SectionsTest, RightResultsWithoutAnErrorAreExact) {
  Rows rows = in_a_session();
  fill_transpose(rows, 1);
  EXPECT_THAT(section("sm_90-transpose", "correctness"),
              HasSubstr("No configuration fails, and every right result is exact."));
}

TEST_F(SectionsTest, AKernelThatWasTimedInAnotherModeSaysSo) {
  Rows rows = in_a_session();
  rows.problem("reduce", "op=sum", "1048576", 4);
  rows.kernel("reduce", "graphs", sequential_axes, "{.block_size = 128}");
  db::Trial other = rows.measured(rows.configuration({{"block_size", 64}}), 5);
  other.mode = "warm L2";
  store_.add_trial(other);
  reduce(rows, "1048576", "sequential", 64, 10);
  EXPECT_THAT(section("sm_90-reduce", "kernels"), HasSubstr("<em>timed in another mode only: warm L2</em>"));
}

TEST_F(SectionsTest, ThePageSaysHowMuchSlowerTheDefaultIs) {
  Rows rows = in_a_session();
  fill_reduce(rows, 1);
  EXPECT_THAT(section("sm_90-reduce", "result"), HasSubstr("default params take"));
}

TEST_F(SectionsTest, ThePageSaysHowTheBestWasCheckedAndIfItIsTheDefault) {
  Rows rows = in_a_session();
  fill_reduce(rows, 1, false);
  EXPECT_THAT(section("sm_90-reduce", "result"), HasSubstr("It is checked with 1 case."));
  EXPECT_THAT(section("sm_90-reduce", "correctness"), HasSubstr("checked with 1 case"));
  db::Trial standard = rows.measured(rows.configuration({{"block_size", 128}}), 5);
  standard.is_default = true;
  store_.add_trial(standard);
  EXPECT_THAT(section("sm_90-reduce", "result"),
              AllOf(HasSubstr("Its params are the kernel\u2019s defaults. It is not certified."),
                    Not(HasSubstr("default params take"))));
}

TEST_F(SectionsTest, ManyParamsAreTwoTablesBesideEachOther) {
  Rows rows = in_a_session();
  const auto tables_with = [&](int params) {
    rows.problem("reduce", "op=sum", std::to_string(1 << params), 4);
    rows.kernel("reduce", "sequential", "{}", "{}");
    std::vector<std::pair<std::string, int>> values;
    for (int i = 0; i < params; ++i) values.emplace_back(fmt::format("axis_{}", i), i);
    store_.add_trial(rows.measured(rows.configuration(values), 10));
    const std::string best = section(fmt::format("sm_90-reduce-{}-", 1 << params), "best");
    EXPECT_THAT(best, HasSubstr(fmt::format("axis_{}<", params - 1)));
    EXPECT_EQ(best.find("<div class=columns>") != std::string::npos, params > 8);
    std::ptrdiff_t count = 0;
    for (std::size_t at = 0; (at = best.find("<table class=settings ", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(tables_with(8), 1);
  EXPECT_EQ(tables_with(9), 2);
  EXPECT_EQ(tables_with(14), 2);
}

TEST_F(SectionsTest, ACommandIsBrokenBetweenItsWordsOnly) {
  fill(store_);
  EXPECT_THAT(section("index", "sessions"),
              HasSubstr("<code>tune <span>--arch</span> native <span>--remeasure</span>"));
}

TEST_F(SectionsTest, AnIntervalHasTheDigitsOfItsTime) {
  Rows rows = in_a_session();
  for (int i = 1; i <= 5; ++i) reduce(rows, "1048576", "sequential", 32 * i, 9.531 * i);
  EXPECT_THAT(section("sm_90-reduce", "configurations"),
              HasSubstr(">9.53</td><td class=n data-head=\"interval\">[9.48, 9.59]</td>"));
}

}  // namespace
}  // namespace warpwright::reports
