// Tests of what the sections on a problem's kernels say: the ladder, and which kernel wins at which size.
#include <gmock/gmock.h>

#include "reports/model_fixture.hpp"

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using KernelsTest = ModelTest;

TEST_F(KernelsTest, NoKernelStandsBelowTheBestWithAShorterTime) {
  Rows rows = in_a_session();
  reduce(rows, "1048576", "tree", 64, 130);
  const db::Id other = reduce(rows, "1048576", "grid_stride", 64, 62.9);
  const db::Id best = reduce(rows, "1048576", "first_add", 64, 63);
  store_.set_ranking(1, 1, "measured",
                     std::vector<db::Ranked>{{.trial_id = best, .rank = 1, .tied = true},
                                             {.trial_id = other, .rank = 2, .tied = true}});
  const std::string kernels = section("sm_90-reduce", "kernels");
  EXPECT_LT(kernels.find("2 grid_<wbr/>stride"), kernels.find("1 first_<wbr/>add"));
  EXPECT_THAT(kernels, Not(HasSubstr("62.9")));
  EXPECT_THAT(kernels, HasSubstr("The best is 2.1 times as fast as the slowest; the last step, to first_add, brings "
                                 "2.06. grid_stride cannot be told apart from the best."));
}

TEST_F(KernelsTest, AKernelIsTimedAsTheBestIsIfItEverWas) {
  Rows rows = in_a_session();
  reduce(rows, "1048576", "first_add", 64, 63);
  reduce(rows, "1048576", "tree", 64, 70);
  db::Trial newer = rows.measured(rows.configuration({{"block_size", 128}}), 55);
  newer.mode = "clean cold L2, between host synchronisations";
  store_.add_trial(newer);
  store_.set_ranking(1, 1, "measured", std::vector<db::Ranked>{{.trial_id = 1, .rank = 1, .tied = true}});
  const std::string kernels = section("sm_90-reduce", "kernels");
  EXPECT_THAT(kernels, AllOf(HasSubstr("2 tree"), HasSubstr("<b>70.0</b>"), Not(HasSubstr("another mode"))));
}

TEST_F(KernelsTest, AKernelThatWasTriedAtOtherSizesOnlyKeepsItsRowAndItsLine) {
  Rows rows = in_a_session();
  reduce(rows, "1024", "small", 64, 4);
  reduce(rows, "1024", "large", 64, 8);
  reduce(rows, "1048576", "large", 64, 100);
  EXPECT_THAT(
      section("sm_90-reduce-1048576", "kernels"),
      AllOf(HasSubstr("<em>not tried at this size; timed at 1024</em>"), Not(HasSubstr("One kernel is timed"))));
  EXPECT_THAT(section("sm_90-reduce-1048576", "sizes"), HasSubstr("The fastest: small at 2\u00B9\u2070"));
}

TEST_F(KernelsTest, TheParamsOfAJobAreCopiedAsDefines) {
  Rows rows = in_a_session();
  rows.problem("job:blur", "", "1024", 4);
  rows.kernel("job:blur", "blur", "[]", "{.ROWS = 1, .TILE = 8}");
  db::Trial trial = rows.measured(rows.configuration({{"ROWS", 2}, {"TILE", 16}}), 5);
  store_.add_trial(trial);
  EXPECT_THAT(section("sm_90-job-blur", "best"),
              AllOf(HasSubstr("Copy #defines</button>"), HasSubstr(">#define ROWS 2\n#define TILE 16\n</pre>")));
  trial.plan_id = store_.upsert(db::PlanText{.text = "define ROWS 2\n  launch blur<16> grid 1 block 32\n"});
  trial.median_us = 4;
  trial.created_at = "2026-11-20T11:00:00.000Z";
  store_.add_trial(trial);
  EXPECT_THAT(
      section("sm_90-job-blur", "best"),
      HasSubstr(">// template arguments: call blur&lt;16&gt;&lt;&lt;&lt;...&gt;&gt;&gt;(...)\n#define ROWS 2\n</pre>"));
}

TEST_F(KernelsTest, AKernelAboveTheRoofIsExplained) {
  Rows rows = in_a_session();
  const auto timed = [&](double us) {
    const db::Id configuration = measured_reduction(rows, us);
    rows.access(configuration, 4, 1);
    return section("sm_90-reduce", "roofline");
  };
  EXPECT_THAT(timed(10), Not(HasSubstr("above the roof")));
  EXPECT_THAT(timed(1), HasSubstr("A cache serves part of the bytes of those above the roof."));
}

TEST_F(KernelsTest, OneKernelIsNoLadderAndLeavesItsRoomToTheSearch) {
  Rows rows = in_a_session();
  for (const int block : {32, 64, 128}) reduce(rows, "1048576", "sequential", block, 20);
  EXPECT_THAT(section("sm_90-reduce", "kernels"),
              AllOf(HasSubstr("One kernel is timed: sequential."), Not(HasSubstr("<ol"))));
  const std::string alone = page("sm_90-reduce");
  EXPECT_LT(alone.find("<section id=search"), alone.find("<section id=params"));
  reduce(rows, "1048576", "grid_stride", 32, 10);
  const std::string html = page("sm_90-reduce");
  EXPECT_THAT(section("sm_90-reduce", "kernels"), HasSubstr("<ol"));
  EXPECT_GT(html.find("<section id=search"), html.find("<section id=params"));
}

}  // namespace
}  // namespace warpwright::reports
