// Tests of complete pages: against golden files, empty, predictions only, hostile texts, without charts, and large.
#include "reports/page.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>
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
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr const char* made_at = "2026-11-21T00:00:00.000Z";
constexpr std::size_t largest_page = 3'000'000;

// Placeholders for the long embedded files, so that golden files show only what depends on the data.
const Assets brief{.css = "/* css */", .script = "/* script */", .figures = "/* figures */", .charts = "/* charts */"};

class PageTest : public testing::Test {
 protected:
  TemporaryFolder folder_{db::memory_folder()};
  db::Store store_{folder_ / "a.db"};

  std::vector<Page> made(const Assets& assets = brief) { return pages(read_report(store_), assets, made_at); }
};

// Removes the timestamps that the database sets itself.
std::string without_moments(const std::string& html) {
  static const std::regex moment("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC");
  return std::regex_replace(html, moment, "MOMENT");
}

void expect_golden(const std::string& html, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "reports/testdata/golden" / name;
  const std::string text = without_moments(html);
  if (std::getenv("WARPWRIGHT_WRITE_GOLDEN")) {
    std::ofstream(path, std::ios::binary) << text;
    GTEST_SKIP() << "wrote " << path;
  }
  const std::string golden = db::bytes_of(path);
  std::size_t at = 0;
  while (at < std::min(text.size(), golden.size()) && text[at] == golden[at]) ++at;
  const auto around = [at](const std::string& from) { return from.substr(at < 60 ? 0 : at - 60, 160); };
  EXPECT_EQ(text.size(), golden.size());
  ASSERT_TRUE(text == golden) << name << " differs from byte " << at << " on; is:\n"
                              << around(text) << "\nwas:\n"
                              << around(golden) << "\nIf it should: WARPWRIGHT_WRITE_GOLDEN=1 "
                              << "reports_test";
}

TEST_F(PageTest, AFilledDatabaseGivesTheGoldenPages) {
  fill(store_);
  const std::vector<Page> all = made();
  ASSERT_THAT(all, SizeIs(3));
  for (const Page& page : all) expect_golden(page.html, page.name);
}

TEST_F(PageTest, AnEmptyDatabaseGivesAnIndexWithInstructions) {
  const std::vector<Page> all = made();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(all[0].html, AllOf(HasSubstr("holds no trials yet"), HasSubstr("</html>")));
}

TEST_F(PageTest, PredictionsAreMarkedAsNotMeasured) {
  store_.transaction([&] {
    Filler filler(store_);
    filler.board("RTX 2080 Ti", "sm_75", 68, 616);
    filler.environment("");
    filler.session("2026-11-20T12:00:00.000Z", 0);
    fill_reduce(filler, 9, false);
  });
  const std::vector<Page> all = made();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[1].name, "sm_75.html");
  EXPECT_THAT(all[1].html,
              AllOf(HasSubstr("all of them predicted by the model: nothing was measured"), HasSubstr("passed, 1 case"),
                    HasSubstr("of the board&#39;s peak bandwidth of 616 GB/s"), Not(HasSubstr("certified ("))));
  EXPECT_THAT(all[1].html, HasSubstr("<p class=banner role=note><strong>Predicted, not measured.</strong>"));
  EXPECT_THAT(all[1].html, AllOf(Not(HasSubstr("id=published")), Not(HasSubstr("others&#39; share of peak"))))
      << "predictions are not set beside what others measured";
  EXPECT_THAT(all[1].html, AllOf(Not(HasSubstr("correlation")), Not(HasSubstr("data-kind=scatter"))))
      << "predicted times are made of occupancy and accesses";
  EXPECT_THAT(all[1].html, AllOf(HasSubstr("equals"), HasSubstr("of the band of the best")));
}

TEST_F(PageTest, WhatNeedsAttentionIsListedAtTheTopWithLinks) {
  fill(store_);
  const std::string page = made().at(2).html;
  const std::string top = page.substr(0, page.find("<section id=best>"));
  EXPECT_THAT(top, Not(HasSubstr("class=banner"))) << "a measured page";
  EXPECT_THAT(top, AllOf(HasSubstr("<li class=bad><a href=\"#failures\">"), HasSubstr("1 counterexample still fails"),
                         HasSubstr("<li class=warn><a href=\"#mutants\">1 mutant survived"),
                         HasSubstr("<li class=warn><a href=\"#drift\">reduce 2^26 float, op=sum")));
  const std::string index = made().at(0).html;
  EXPECT_THAT(index, AllOf(HasSubstr("<li class=bad><a href=\"sm_75.html#failures\">1 new failure"),
                           HasSubstr("<li class=warn><a href=\"sm_90.html#drift\">"),
                           HasSubstr("<li class=bad><a href=\"#nightly\">")))
      << "the index too";
  EXPECT_THAT(index, HasSubstr("Times for sm_75 are an analytic model"));
  for (const char* place : {"id=failures", "id=nightly", "id=mutants", "id=drift"}) EXPECT_THAT(page, HasSubstr(place));
  static const std::regex link("<li class=bad><a href=\"#([^\"]*-all)\">2 configurations of transpose");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(top, found, link)) << top;
  EXPECT_THAT(page, HasSubstr("<details class=all id=" + found[1].str()));
  EXPECT_THAT(page, AllOf(HasSubstr("class=\"n bad\">+8.0 %"), HasSubstr("<tbody data-k=\"tiled_vector\"")));
}

TEST_F(PageTest, ANightlyRunThatRanOutOfTimeShowsHowFarEachKernelGot) {
  fill(store_);
  EXPECT_THAT(made().at(2).html, Not(HasSubstr("How far each kernel came"))) << "all of them are complete";
  store_.begin_conformance_run({.target = "host/sm_90",
                                .started_at = "2026-11-30T02:00:00.000Z",
                                .ended_how = "out of time",
                                .progress = R"([{"kernel": "reduce/tree", "cases": 40, "verdict": "passed"},
                                                {"kernel": "reduce/late", "cases": 0, "verdict": "not run"}])"});
  const std::string page = made().at(2).html;
  const std::string table = page.substr(std::min(page.find("How far each kernel came"), page.size()));
  EXPECT_LT(table.find("reduce/late"), table.find("reduce/tree")) << "who came least far first: " << table;
  EXPECT_THAT(table, HasSubstr("not run"));
}

TEST_F(PageTest, ThePageSaysSoIfNothingNeedsAttention) {
  Filler filler(store_);
  filler.board("NVIDIA H200", "sm_90", 132, 4800);
  filler.environment("580");
  filler.session("2026-11-20T12:00:00.000Z", 40);
  fill_transpose(filler, 1);
  EXPECT_THAT(made().at(1).html, HasSubstr("<li class=good>Nothing fails, drifted or was altered.</li>"));
}

TEST_F(PageTest, AlteredRowsAreNamedAtTheTopAndInTheTable) {
  fill(store_);
  SQLite::Database(store_.path().string(), SQLite::OPEN_READWRITE)
      .exec(
          "UPDATE trial SET median_us = 1 WHERE id = (SELECT max(id) FROM trial WHERE verdict = 'passed' AND "
          "provenance = 'measured')");
  const std::string page = made().at(2).html;
  EXPECT_THAT(page, AllOf(HasSubstr("1 altered row: changed behind"), HasSubstr("altered since it was stored")));
}

TEST_F(PageTest, ConfigurationsAreSortedByTimeAndNamedWithoutNamespaces) {
  Filler filler(store_);
  filler.board("NVIDIA H200", "sm_90", 132, 4800);
  filler.environment("580");
  filler.session("2026-11-20T12:00:00.000Z", 40);
  filler.problem("reduce", "op=sum", "1048576", 4);
  const db::Id kernel = filler.kernel("reduce", "tree", "[]", "{}");
  for (const auto& [name, us] : {std::pair("slow", 30.0), std::pair("atomics", 10.0), std::pair("second", 20.0)}) {
    const std::string value = std::string("warpwright::reduce::final_stage::") + name;
    store_.add_trial(filler.measured(store_.upsert(db::Configuration{.kernel_id = kernel,
                                                                     .params = "{.finish = " + value + "}",
                                                                     .params_json = "{\"finish\": \"" + value + "\"}"}),
                                     us));
  }
  const std::string page = made().at(1).html;
  EXPECT_THAT(page, AllOf(Not(HasSubstr("final_stage")), HasSubstr("{.finish = atomics}")));
  EXPECT_THAT(page, HasSubstr("<thead><tr><th scope=col>time &micro;s<th scope=col>low<th scope=col>high<th scope=col "
                              "data-axis>finish"));
  const auto at = [&](const std::string& row) { return page.find("<tr><td>" + row); };
  EXPECT_LT(at("10<td>"), at("20<td>"));
  EXPECT_LT(at("20<td>"), at("30<td>"));
  EXPECT_NE(at("30<td>"), std::string::npos);
}

TEST_F(PageTest, TheOverviewHasOneRowPerPatternAndBoard) {
  fill(store_);
  const std::string page = made().at(2).html;
  const std::string overview = page.substr(page.find("<section id=overview>"),
                                           page.find("<section id=best>") - page.find("<section id=overview>"));
  EXPECT_THAT(overview, HasSubstr("<a href=\"#pattern-reduce\">reduce</a></th><td>NVIDIA H200</td><td class=n>1</td>"
                                  "<td>grid_stride</td><td class=n>83.8 %</td><td class=n>1.00 x</td><td class=n>1.36 "
                                  "x</td><td>1 of 1 certified</td><td class=n>100 %</td>"));
  EXPECT_THAT(overview, HasSubstr("<a href=\"#pattern-transpose\">transpose</a>"));
  EXPECT_EQ(overview.find("reduce</a>"), overview.rfind("reduce</a>"));
  EXPECT_THAT(page, HasSubstr("<section id=\"pattern-reduce\">")) << "what the row leads to";
}

TEST_F(PageTest, TheOverviewAndTheBestSettingsShowTheSearchedShareAsTunedbDoes) {
  Filler filler(store_);
  filler.board("NVIDIA H200", "sm_90", 132, 4800);
  filler.environment("580");
  filler.session("2026-11-20T12:00:00.000Z", 40);
  const auto add = [&](const char* shape, std::int64_t configurations, bool only_default = false) {
    filler.problem("reduce", "op=sum", shape, 4);
    filler.kernel("reduce", "tree", "[]", "{}");
    if (configurations > 0) filler.space(configurations);
    db::Trial trial = filler.measured(filler.configuration({{"block_size", 64}}), 10);
    trial.is_default = only_default;
    store_.add_trial(trial);
  };
  const auto overview = [&] {
    const Report report = read_report(store_);
    return overview_section(report.architectures.at(0));
  };
  add("1024", 0);
  EXPECT_THAT(overview(), HasSubstr("0 of 1 certified</td><td class=n>-</td></tr>"));
  add("2048", 1);
  EXPECT_THAT(overview(), HasSubstr("<td class=n>100 %</td></tr>"));
  add("4096", 1000);
  EXPECT_THAT(overview(), HasSubstr("<td class=n>0.1 % to 100 %</td></tr>"));
  add("8192", 10, true);
  EXPECT_THAT(overview(), HasSubstr("<td class=n>default only to 100 %</td></tr>"));
  const std::string page = made().at(1).html;
  EXPECT_THAT(page, HasSubstr("<td>not certified</td><td class=n>0.1 %</td>"));
  EXPECT_THAT(page, HasSubstr("<td>not certified</td><td class=n>default only</td>"));
}

TEST_F(PageTest, ForUnknownDataTheSettingThatLosesLeastIsNamed) {
  Filler filler(store_);
  filler.board("NVIDIA H200", "sm_90", 132, 4800);
  filler.environment("580");
  filler.session("2026-11-20T12:00:00.000Z", 40);
  const auto add = [&](const char* data, const std::vector<double>& us) {
    filler.problem("histogram", "", "1024", 4, "float", "bins=256", data);
    filler.kernel("histogram", "tree", "[]", "{}");
    for (std::size_t i = 0; i < us.size(); ++i)
      store_.add_trial(filler.measured(filler.configuration({{"copies", static_cast<int>(i)}}), us[i]));
  };
  add("uniform", {10, 12, 11});
  EXPECT_THAT(made().at(1).html, Not(HasSubstr("Where the data is not known")));
  add("zipf", {30, 20, 21});
  EXPECT_THAT(
      made().at(1).html,
      HasSubstr(
          "histogram[bins=256,<wbr>float,<wbr>1024]</th><td>NVIDIA H200</td><td><code>tree {.copies = 2}</code></td>"
          "<td class=n>2</td><td class=n>10.0 %</td><td>uniform</td>"));
}

TEST_F(PageTest, HostileTextsAreEscaped) {
  const std::string evil = "\"><script>alert('x')</script><img src=x onerror=alert(1)>";
  Filler filler(store_);
  filler.board(evil, "sm_90", 132, 4800);
  filler.environment(evil);
  filler.session("2026-11-20T12:00:00.000Z", 40);
  filler.problem(evil, evil, "1048576", 4, evil, evil, evil);
  filler.kernel(evil, evil, "[]", evil);
  const db::Id configuration = store_.upsert(
      db::Configuration{.kernel_id = filler.kernel(evil, evil, "[]", evil),
                        .params = evil,
                        .params_json = R"({"\"><script>alert(1)</script>": "<script>alert(2)</script>"})"});
  for (const char* verdict : {"passed", "failed"}) {
    db::Trial trial = filler.measured(configuration, 10);
    trial.verdict = verdict;
    trial.detail = trial.warnings = trial.occupancy_limit = evil;
    trial.occupancy = 0.5;
    store_.add_trial(trial, {}, {}, std::vector{db::Launch{.entry = evil, .occupancy_limit = evil}});
  }
  db::Trial other = filler.measured(filler.configuration({{"<b>", 1}}), 11);
  store_.add_trial(other);
  filler.access(configuration, 4, 1,
                R"([{"file": "<script>alert(3)</script>", "line": 1, "space": "<i>", "requests": 1, "transactions": 9,)"
                R"( "least": 1}])");
  filler.baseline(evil, evil, evil, true, 12);
  filler.run("2026-11-20", 1, 1);
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
    EXPECT_THAT(page.html, Not(HasSubstr("<b>"))) << page.name;
    EXPECT_THAT(page.html, HasSubstr("&lt;script&gt;alert(")) << page.name;
  }
}

TEST_F(PageTest, WithoutAChartLibraryPagesSayThatChartsAreLeftOut) {
  fill(store_);
  for (const Page& page : made({.css = "", .script = "", .figures = "", .charts = ""})) {
    EXPECT_THAT(page.html, HasSubstr("Charts are left out: this build has no chart library")) << page.name;
  }
  for (const Page& page : made()) EXPECT_THAT(page.html, Not(HasSubstr("Charts are left out"))) << page.name;
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

TEST_F(PageTest, OfTwentyThousandTrialsIsSmallAndQuicklyMade) {
  fill_large(store_, 20000);
  const std::clock_t start = std::clock();
  const Report report = read_report(store_);
  const std::vector<Page> all = pages(report, embedded_assets(), made_at);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::size_t rows = 0;
  for (const Contest& contest : report.architectures.at(0).contests) rows += contest.rows.size();
  EXPECT_EQ(rows, 20000U);
  // If the build has no chart library, the size limit still includes its 210,082 bytes.
  const std::size_t charts = asset("charts.js").empty() ? 211'000 : 0;
  EXPECT_LT(all.at(1).html.size() + charts, largest_page);
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
