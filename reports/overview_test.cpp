// Tests of the page of an architecture, above and in its table, and of the boards of the index.
#include <gmock/gmock.h>

#include "reports/model_fixture.hpp"
#include "reports/summary.hpp"

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OverviewTest : public ModelTest {
 protected:
  db::Trial trial(Rows& rows, const std::string& pattern, const std::string& shape, int block, double us) {
    rows.problem(pattern, "", shape, 4);
    rows.kernel(pattern, "tiled", "[]", "{}");
    return rows.measured(rows.configuration({{"block_size", block}}), us);
  }
};

TEST_F(OverviewTest, SaysHowMuchOfTheSpaceWasSearched) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  store_.add_trial(trial(rows, "little", "1024", 64, 10));
  rows.space(1000);
  store_.add_trial(trial(rows, "all", "1024", 64, 10));
  rows.space(1);
  db::Trial standard = trial(rows, "standard", "1024", 64, 10);
  standard.is_default = true;
  store_.add_trial(standard);
  rows.space(1000);
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr("<rect class='fill' width='0.1%'/></svg><span>0.1 %</span>"),
                                        HasSubstr("title='1 of 1,000 configurations (0.1 %)'"),
                                        HasSubstr("<span>100 %</span>"), HasSubstr("<span>default only</span>")));
}

TEST_F(OverviewTest, FiltersConsiderEveryProblemOfAPattern) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  store_.add_trial(trial(rows, "scan", "1024", 64, 1));
  store_.add_trial(trial(rows, "scan", "1024", 128, 2));
  store_.add_trial(trial(rows, "scan", "2048", 64, 1));
  rows.session("2026-11-20T10:00:00.000Z", 40);
  store_.add_trial(trial(rows, "scan", "1024", 64, 1));
  const std::string same = page("sm_90.html");
  EXPECT_THAT(same, AllOf(HasSubstr("\"faster\":false,"), HasSubstr("\"slower\":false}")));
  store_.add_trial(trial(rows, "scan", "2048", 64, 1.2));
  rows.baseline("cub", "scan", "", true, 1);
  const std::string html = page("sm_90.html");
  EXPECT_THAT(html, AllOf(HasSubstr("\"faster\":true,"), HasSubstr("\"slower\":true}")));
  EXPECT_THAT(html, AllOf(HasSubstr("data-of='[{\"us\":1,"), HasSubstr("\"change\":0,")))
      << "the problem that stands for the pattern did not change";
}

TEST_F(OverviewTest, OtherProblemsOfAPatternAreListedBySize) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  for (const char* size : {"4096", "8192", "1024"}) store_.add_trial(trial(rows, "scan", size, 64, 1));
  store_.add_trial(trial(rows, "scan", "4096", 128, 2));
  const std::string html = page("sm_90.html");
  const std::size_t main = html.find("scan-4096");
  const std::size_t small = html.find("scan-1024");
  ASSERT_NE(main, std::string::npos);
  EXPECT_LT(main, small);
  EXPECT_LT(small, html.find("scan-8192"));
}

TEST_F(OverviewTest, ProblemsOfOneTitleHaveARowEach) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  for (const char* variant : {"op=sum", "op=max", "op=min"}) {
    const db::Id problem = store_.upsert(
        db::Problem{.pattern = "scan", .variant = variant, .types = "float", .shape = "1024", .title = "2^10 float"});
    db::Trial one = trial(rows, "scan", "1024", 64, 1);
    one.problem_id = problem;
    store_.add_trial(one);
  }
  const Report report = read_report(store_);
  const std::string html = page(report, "sm_90.html");
  for (const ProblemResults& results : named(report, "sm_90").problems)
    EXPECT_THAT(html, HasSubstr("href=\"" + results.file())) << results.name();
}

TEST_F(OverviewTest, AChangeThatIsNotComparedSaysWhy) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  store_.add_trial(trial(rows, "scan", "1024", 64, 10));
  rows.session("2026-11-20T10:00:00.000Z", 40);
  store_.add_trial(trial(rows, "scan", "1024", 128, 5));
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr("<small>new best</small>")));
}

TEST_F(OverviewTest, ATimeOfZeroMakesNoChange) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  store_.add_trial(trial(rows, "scan", "1024", 64, 0));
  rows.session("2026-11-20T10:00:00.000Z", 40);
  store_.add_trial(trial(rows, "scan", "1024", 64, 5));
  const Report report = read_report(store_);
  const Architecture& h200 = named(report, "sm_90");
  EXPECT_FALSE(summary_of(h200, h200.problems.at(0), drifts(h200)).change);
  EXPECT_THAT(page(report, "sm_90.html"), Not(HasSubstr("inf,")));
}

TEST_F(OverviewTest, ImportedTimesAreCalledImported) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  db::Trial imported = trial(rows, "import:sgemm", "64", 64, 10);
  imported.provenance = "imported";
  imported.verdict = "unchecked";
  store_.add_trial(imported);
  const std::string overview = page("sm_90.html");
  EXPECT_THAT(overview,
              AllOf(HasSubstr("NVIDIA H200 <small>imported</small>"), HasSubstr("<b>1 of 1</b> problem was imported."),
                    HasSubstr("are from another tuner; their correctness was not checked.")));
  const std::string index = page("index");
  EXPECT_THAT(index, HasSubstr("1 architecture, 1 board. The best configuration is imported for <b>1 problem</b>."));
  EXPECT_THAT(index, Not(HasSubstr("class='hatched'")));
}

TEST_F(OverviewTest, ABoardIsDescribedByAllItsTimesNotByItsFirstProblem) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  db::Trial failed = trial(rows, "a", "64", 64, 10);
  failed.verdict = "failed";
  store_.add_trial(failed);
  db::Trial predicted = trial(rows, "b", "64", 64, 10);
  store_.add_trial(rows.predicted(predicted.configuration_id, 10));
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr("<b>1 of 2</b> problems is predicted."),
                                        HasSubstr("NVIDIA H200 <small>predicted</small>")));
}

TEST_F(OverviewTest, SaysWhereALibraryIsFaster) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  for (const char* pattern : {"scan", "sort"}) {
    store_.add_trial(trial(rows, pattern, "64", 64, 10));
    rows.baseline("cub", "any", "", true, pattern[1] == 'c' ? 5 : 20);
  }
  EXPECT_THAT(page("sm_90.html"),
              HasSubstr("No vendor\u2019s library is faster on <b>1 of 2</b> compared problems; one "
                        "is faster on 1: scan."));
}

TEST_F(OverviewTest, UnknownValuesHaveNoColumnNoFilterAndNoLegend) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  db::Trial predicted = trial(rows, "scan", "1024", 64, 10);
  store_.add_trial(rows.predicted(predicted.configuration_id, 10));
  EXPECT_THAT(page("sm_90.html"), AllOf(Not(HasSubstr("t-sessions")), Not(HasSubstr("data-filter=slower")),
                                        Not(HasSubstr("data-filter=faster")), HasSubstr("<b>Hatched</b>"),
                                        HasSubstr("<td colspan=5>"), Not(HasSubstr("<b>Dashed</b>"))));
  store_.add_trial(trial(rows, "scan", "1024", 128, 10));
  rows.baseline("cub", "scan", "", true, 1);
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr("t-sessions"), HasSubstr("data-filter=slower"),
                                        HasSubstr("data-filter=faster"), Not(HasSubstr("<b>Hatched</b>"))));
}

TEST_F(OverviewTest, ABoardAmongOthersHasAShortName) {
  fill_boards(store_);
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr("<span>H200 <small>measured</small></span>"),
                                        HasSubstr("<span>H100 <small>measured</small></span>")));
}

TEST_F(OverviewTest, ThereIsALinkToSessionsOnlyIfThereAreSome) {
  Rows rows = on_h200();
  db::Trial alone = trial(rows, "scan", "64", 64, 10);
  alone.session_id.reset();
  store_.add_trial(alone);
  EXPECT_THAT(page("sm_90.html"), Not(HasSubstr("#sessions")));
  rows.session("2026-11-19T10:00:00.000Z", 40);
  store_.add_trial(trial(rows, "scan", "64", 128, 10));
  EXPECT_THAT(page("sm_90.html"), HasSubstr("index.html#sessions"));
}

TEST_F(OverviewTest, TheMedianShareOfABoardIsNotAmongItsOtherProblems) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  for (const char* pattern : {"a", "b", "c"}) {
    db::Trial one = trial(rows, pattern, "67108864", 64, pattern[0] == 'a' ? 80 : pattern[0] == 'b' ? 100 : 120);
    store_.add_trial(one);
  }
  EXPECT_THAT(section("index", "boards"), HasSubstr("59.3 % of the ceiling; 2 other problems: 49.4 % to 74.2 %"));
}

}  // namespace
}  // namespace warpwright::reports
