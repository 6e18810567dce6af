// Tests of complete pages: what they show and link to, empty, predictions only, hostile texts, and large.
#include "reports/page.hpp"

#include <gmock/gmock.h>

#include <ctime>
#include <map>
#include <regex>

#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"
#include "reports/assets.hpp"
#include "reports/fixture.hpp"
#include "reports/sections.hpp"
#include "reports/write.hpp"

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* made_at = "2026-11-21T00:00:00.000Z";
constexpr std::size_t largest_page = 3'000'000;

class PageTest : public testing::Test {
 protected:
  TemporaryFolder folder_{db::memory_folder()};
  db::Store store_{folder_ / "a.db"};

  std::vector<Page> made(const Assets& assets = {}) { return pages(read_report(store_), assets, made_at); }
  // The page whose name begins with `name`.
  std::string page(const std::string& name) {
    for (Page& one : made())
      if (one.name.starts_with(name)) return std::move(one.html);
    ADD_FAILURE() << "no page " << name;
    return "";
  }
  Rows on_h200() {
    Rows rows(store_);
    rows.board("NVIDIA H200", "sm_90", 132, 4800);
    rows.environment("580");
    rows.session("2026-11-20T12:00:00.000Z", 40);
    return rows;
  }
};

TEST_F(PageTest, ThereIsAnIndexAPagePerArchitectureAndOnePerProblemAndBoard) {
  fill(store_);
  std::vector<std::string> names;
  for (const Page& one : made()) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("index.html", "sm_75.html", StartsWith("sm_75-reduce-67108864-RTX-2080-Ti-"),
                                 "sm_90.html", StartsWith("sm_90-reduce-67108864-NVIDIA-H200-"),
                                 StartsWith("sm_90-transpose-8192x8192-NVIDIA-H200-")));
}

TEST_F(PageTest, EveryLinkLeadsToAnExistingPageAndPlace) {
  fill(store_);
  std::map<std::string, std::string> pages;
  for (Page& one : made()) pages[one.name] = std::move(one.html);
  static const std::regex link("href=\"([^\"#:]*)(#([^\"]*))?\"");
  for (const auto& [name, html] : pages) {
    for (std::sregex_iterator found(html.begin(), html.end(), link), end; found != end; ++found) {
      const std::string target = (*found)[1].str().empty() ? name : (*found)[1].str();
      const std::string place = (*found)[3].str();
      ASSERT_TRUE(pages.contains(target)) << name << " leads to " << target;
      const bool is_there = place.empty() || pages[target].find("id=" + place) != std::string::npos ||
                            pages[target].find("id=\"" + place + "\"") != std::string::npos ||
                            pages[target].find("id='" + place + "'") != std::string::npos;
      EXPECT_TRUE(is_there) << name << " leads to " << target << "#" << place;
    }
  }
}

TEST_F(PageTest, AnEmptyDatabaseGivesAnIndexWithInstructions) {
  const std::vector<Page> all = made();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(all[0].html, AllOf(HasSubstr("holds no trials yet"), HasSubstr("</html>")));
}

TEST_F(PageTest, PredictionsAreMarkedAndNotComparedWithMeasurements) {
  store_.transaction([&] {
    Rows rows(store_);
    rows.board("RTX 2080 Ti", "sm_75", 68, 616);
    rows.environment("");
    rows.session("2026-11-20T12:00:00.000Z", 0);
    fill_reduce(rows, 9, false);
    rows.baseline("cub", "device_reduce", "", true, 0);
    rows.problem("pipeline", "", "1024", 4);  // no time is predicted for it
    rows.kernel("pipeline", "streams", "[]", "{}");
    db::Trial none = rows.predicted(rows.configuration({{"block_size", 64}}), 0);
    none.verdict = "not modelled";
    none.predicted_us.reset();
    store_.add_trial(none);
  });
  const std::string overview = page("sm_75.html");
  EXPECT_THAT(page("index.html"), HasSubstr("A model ranks the configurations; it does not time them."));
  EXPECT_THAT(overview, AllOf(HasSubstr("<b>Predicted, not measured.</b>"), HasSubstr("class='hatched'"),
                              HasSubstr("% peak<"), Not(HasSubstr("certified"))));
  const std::string problem = page("sm_75-reduce");
  EXPECT_THAT(problem,
              AllOf(HasSubstr("should take"), Not(HasSubstr("id=published")), Not(HasSubstr("as long as ours"))));
}

TEST_F(PageTest, ProblemsThatNeedAttentionAreOnTopWithLinks) {
  fill(store_);
  const std::string overview = page("sm_90.html");
  const std::string top = overview.substr(0, overview.find("<table id=patterns"));
  EXPECT_THAT(top, AllOf(HasSubstr("<div class=\"banner bad\">"), HasSubstr("1 counterexample is open"),
                         ContainsRegex("href=\"sm_90-transpose-8192x8192-[^\"]*#correctness\"")));
  EXPECT_THAT(top, AllOf(HasSubstr("<div class=\"banner warn\">"), HasSubstr("by 8.0 % (65.6 to 70.8 \u00B5s)"),
                         HasSubstr("index.html#changes")));
  EXPECT_THAT(page("index.html"), AllOf(HasSubstr("1 new failure"), HasSubstr("by 8.0 %"), HasSubstr("+8.0 %")));
  EXPECT_THAT(page("sm_90-transpose"),
              AllOf(HasSubstr("<td class=bad data-head=\"verdict\">failed</td>"), HasSubstr("tunedb show")));
}

TEST_F(PageTest, ANightlyRunThatRanOutOfTimeShowsHowFarEachKernelGot) {
  fill(store_);
  EXPECT_THAT(page("index.html"), Not(HasSubstr("How far each kernel came"))) << "all of them are complete";
  store_.begin_conformance_run({.target = "host/sm_90",
                                .started_at = "2026-11-30T02:00:00.000Z",
                                .ended_how = "out of time",
                                .progress = R"([{"kernel": "reduce/sequential", "cases": 40, "verdict": "passed"},
                                                {"kernel": "reduce/late", "cases": 0, "verdict": "not run"}])"});
  const std::string index = page("index.html");
  const std::string table = index.substr(std::min(index.find("How far each kernel came"), index.size()));
  EXPECT_LT(table.find("reduce/late"), table.find("reduce/sequential")) << "who came least far first: " << table;
  EXPECT_THAT(table, HasSubstr("not run"));
  EXPECT_THAT(page("sm_90-reduce"), AllOf(HasSubstr("conform cases"), HasSubstr("<td class=\"n\">40</td>")));
}

TEST_F(PageTest, ThePageSaysSoIfNothingNeedsAttention) {
  Rows rows = on_h200();
  fill_transpose(rows, 1);
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr("<div class=\"banner good\">"),
                                        HasSubstr("Nothing fails: every configuration that was timed is right."),
                                        Not(HasSubstr("banner bad")), Not(HasSubstr("banner warn"))));
}

TEST_F(PageTest, WithoutLibrariesTheColumnsOfComparisonsAreLeftOut) {
  Rows rows = on_h200();
  fill_transpose(rows, 1);
  EXPECT_THAT(page("sm_90.html"), AllOf(Not(HasSubstr("t-speed")), Not(HasSubstr("t-vendor")),
                                        HasSubstr("No library was timed: run <code>tune --baselines</code>.")));
  rows.baseline("cublas", "geam", "", true, 139);
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr("t-speed"), HasSubstr("cuBLAS <b>~1.07</b>")));
}

TEST_F(PageTest, AProblemWithFailuresOnlyKeepsItsPageAndSaysWhy) {
  Rows rows = on_h200();
  rows.problem("transpose", "", "8192x8192", 4.0 * (1 << 26));
  fill_failures(rows, "failed");
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr("failing"), HasSubstr("not timed")));
  EXPECT_THAT(page("sm_90-transpose"), AllOf(HasSubstr("No configuration is right: 2 of 2 configurations failed"),
                                             HasSubstr("uses too much shared data"), Not(HasSubstr("id=best "))));
}

TEST_F(PageTest, AlteredRowsAreNamedAtTheTop) {
  fill(store_);
  SQLite::Database(store_.path().string(), SQLite::OPEN_READWRITE)
      .exec(
          "UPDATE trial SET median_us = 1 WHERE id = (SELECT max(id) FROM trial WHERE verdict = 'passed' AND "
          "provenance = 'measured')");
  EXPECT_THAT(page("sm_90.html"), HasSubstr("1 altered row:</b> changed by another program"));
}

TEST_F(PageTest, SettingsAreCopiedAsCppAndAsFlags) {
  ProblemResults results;
  results.best = db::Best{.winner = {.pattern = "reduce",
                                     .kernel = "tree",
                                     .params = "{.block_size = 128, .finish = warpwright::reduce::finish::atomic}"}};
  EXPECT_EQ(as_code(results),
            "constexpr warpwright::reduce::tree_params params{\n  .block_size = 128,\n  .finish = "
            "warpwright::reduce::finish::atomic,\n};");
  EXPECT_EQ(as_flags(results.best->winner), "-Dblock_size=128 -Dfinish=atomic");
  fill(store_, 1);
  EXPECT_THAT(page("sm_90-transpose"), HasSubstr("-Dtile_dim=32 -Dbank_pad=1"));
}

TEST_F(PageTest, ForUnknownDataTheSettingThatLosesLeastIsNamed) {
  Rows rows = on_h200();
  const auto add = [&](const char* data, const std::vector<double>& us) {
    rows.problem("histogram", "", "1024", 4, "float", "bins=256", data);
    rows.kernel("histogram", "tree", "[]", "{}");
    for (std::size_t i = 0; i < us.size(); ++i)
      store_.add_trial(rows.measured(rows.configuration({{"copies", static_cast<int>(i)}}), us[i]));
  };
  add("uniform", {10, 12, 11});
  EXPECT_THAT(page("sm_90-histogram"), Not(HasSubstr("Where the data is not known")));
  add("zipf", {30, 20, 21});
  EXPECT_THAT(
      page("sm_90-histogram"),
      HasSubstr("Where the data is not known: <code>tree {.copies = 2}</code> loses 10.0 % at most, on uniform"));
}

TEST_F(PageTest, SeveralBoardsAreInOneTableAndTheIndexNamesTheDifferences) {
  fill_boards(store_);
  const std::string overview = page("sm_90.html");
  EXPECT_THAT(overview, AllOf(HasSubstr("id=board0"), HasSubstr("id=board1"), HasSubstr("id=side-by-side")));
  const std::string index = page("index.html");
  EXPECT_THAT(index, AllOf(HasSubstr("id=across"), HasSubstr("tile_dim"), HasSubstr("Tesla T4")));
}

TEST_F(PageTest, HostileTextsAreEscaped) {
  const std::string evil = "\"><script>alert('x')</script><img src=x onerror=alert(1)>";
  Rows rows(store_);
  rows.board(evil, "sm_90", 132, 4800);
  rows.environment(evil);
  rows.session("2026-11-20T12:00:00.000Z", 40);
  rows.problem(evil, evil, "1048576", 4, evil, evil, evil);
  rows.kernel(evil, evil, "[]", evil);
  // Six configurations of two params, so that there are a map, bars of effects, parallel coordinates and their JSON.
  for (int i = 0; i < 6; ++i) {
    const std::string params =
        fmt::format("{{.{} = </script><script>alert(1){}, .'<u> = '><img{}}}", evil, i / 2, i % 2);
    const db::Id configuration = store_.upsert(
        db::Configuration{.kernel_id = rows.kernel(evil, evil, "[]", evil), .params = params, .params_json = "{}"});
    for (const char* verdict : {"passed", "failed"}) {
      if (i > 0 && verdict == std::string("failed")) continue;
      db::Trial trial = rows.measured(configuration, 10 + i);
      trial.created_at = evil;
      trial.verdict = verdict;
      trial.detail = trial.warnings = trial.occupancy_limit = evil;
      trial.occupancy = 0.5;
      store_.add_trial(trial);
    }
  }
  rows.baseline(evil, evil, evil, true, 12);
  rows.run("2026-11-20", 1, 1);
  store_.saw_counterexample({.pattern = evil, .kernel = evil, .repro = evil, .detail = evil});
  store_.obsolete_counterexample(evil, evil);
  store_.put_mutant({.kernel = evil,
                     .rule = evil,
                     .file = evil,
                     .change = evil,
                     .tool = evil,
                     .outcome = "survived",
                     .how = evil,
                     .detail = evil});
  for (const Page& page : made()) {
    EXPECT_THAT(page.html, Not(HasSubstr("<script>alert"))) << page.name;
    EXPECT_THAT(page.html, Not(HasSubstr("<img"))) << page.name;
    EXPECT_THAT(page.html, Not(HasSubstr("<u>"))) << page.name;
    EXPECT_THAT(page.html, HasSubstr("&lt;script&gt;alert(")) << page.name;
  }
  EXPECT_THAT(made().back().html,
              AllOf(HasSubstr("class='map'"), HasSubstr("class='effects'"), HasSubstr("class='parallel few'"),
                    HasSubstr("<select id=map-across>"), HasSubstr("id=spaces")));
}

TEST_F(PageTest, PagesLoadNothingFromElsewhere) {
  fill(store_);
  for (const Page& page : made(embedded_assets())) {
    EXPECT_THAT(page.html, Not(HasSubstr("src=\"http"))) << page.name;
    EXPECT_THAT(page.html, Not(HasSubstr("href=\"http"))) << page.name;
    EXPECT_THAT(page.html, Not(HasSubstr("<link rel=stylesheet"))) << page.name;
    EXPECT_THAT(page.html, Not(HasSubstr("@import"))) << page.name;
  }
}

TEST_F(PageTest, PagesOfTwentyThousandTrialsAreSmallAndQuicklyMade) {
  fill_large(store_, 20000);
  const std::clock_t start = std::clock();
  const Report report = read_report(store_);
  const std::vector<Page> all = pages(report, embedded_assets(), made_at);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::size_t rows = 0;
  for (const ProblemResults& results : report.architectures.at(0).problems) rows += results.rows.size();
  EXPECT_EQ(rows, 20000U);
  for (const Page& one : all) EXPECT_LT(one.html.size(), largest_page) << one.name;
  EXPECT_LT(seconds, 10);
}

TEST_F(PageTest, PagesAreWrittenAtomicallyAndLeaveNothingBehind) {
  const std::filesystem::path out = folder_ / "some/where";
  write_pages(out, {{.name = "index.html", .html = "one"}});
  write_pages(out, {{.name = "index.html", .html = "two"}});
  EXPECT_EQ(db::bytes_of(out / "index.html"), "two");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out), {}), 1);
}

}  // namespace
}  // namespace warpwright::reports
