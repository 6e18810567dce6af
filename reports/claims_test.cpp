// Tests that a report claims no more than is known: about predictions, bands, ceilings, altered rows.
#include <gmock/gmock.h>

#include <algorithm>

#include "db/store/connection.hpp"
#include "reports/effects.hpp"
#include "reports/library_times.hpp"
#include "reports/model_fixture.hpp"
#include "reports/sections.hpp"
#include "reports/summary.hpp"

namespace warpwright::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ClaimsTest : public ModelTest {
 protected:
  // The summary of a problem.
  Summary summary(const Report& report, const std::string& arch, std::size_t problem = 0) {
    const Architecture& architecture = named(report, arch);
    return summary_of(architecture, architecture.problems.at(problem), drifts(architecture));
  }
};

TEST_F(ClaimsTest, EverySectionShowsTheSameBest) {
  fill(store_, 1.08);
  const Report report = read_report(store_);
  EXPECT_NEAR(*summary(report, "sm_90").us, 1.08 * (63.6 + 2000.0 / 256 / 4), 1e-9);
  const std::string best = "70.8";
  const std::string problem = page(report, "sm_90-reduce");
  const auto count = [&](const std::string& html, const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = html.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_THAT(page(report, "sm_90.html"), HasSubstr(">" + best + "<small>grid_<wbr/>stride"));
  EXPECT_GE(count(problem, ">" + best + "<"), 3U) << "result, ladder and map";
  EXPECT_THAT(problem, HasSubstr("takes</dt><dd>" + best));
}

TEST_F(ClaimsTest, ParamsAreExplainedPerKernel) {
  fill(store_, 1);
  const Report report = read_report(store_);
  const ProblemResults& reduce = named(report, "sm_90").problems.at(0);
  const std::vector<KernelSpace> spaces = kernel_spaces(reduce);
  ASSERT_THAT(spaces, SizeIs(2));
  EXPECT_EQ(spaces[0].kernel, "grid_stride") << "the best first";
  EXPECT_THAT(spaces[0].axes, SizeIs(3));
  EXPECT_THAT(spaces[0].lines, SizeIs(16));
  EXPECT_THAT(spaces[1].axes, SizeIs(2));
  EXPECT_THAT(spaces[1].lines, SizeIs(8));
}

TEST_F(ClaimsTest, BusTransfersAreComparedWithTheBusCeiling) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  const auto best_of = [&](double to_device, double to_host) {
    const db::Id problem = store_.upsert(db::Problem{.pattern = "pipeline",
                                                     .types = "float",
                                                     .shape = std::to_string(1000 + static_cast<int>(to_device)),
                                                     .bytes_read = 5e9,
                                                     .bytes_written = 5e9,
                                                     .bus_to_device = to_device,
                                                     .bus_to_host = to_host});
    rows.kernel("pipeline", "one_stream", "[]", "{}");
    db::Trial trial = rows.measured(rows.configuration({{"chunks", 4}}), 10000);
    trial.problem_id = problem;
    store_.add_trial(trial);
  };
  best_of(275e6, 0);
  best_of(110e6, 400e6);
  const Report report = read_report(store_);
  for (const ProblemResults& results : named(report, "sm_90").problems) {
    ASSERT_TRUE(results.ceiling);
    EXPECT_EQ(results.ceiling->name, "bus");
    const bool one_way = results.problem.bus_to_host == 0;
    EXPECT_NEAR(results.ceiling->rate, one_way ? 55 : 50, 1e-9) << "of the direction that takes longest";
    EXPECT_NEAR(*results.share_of_ceiling(10000), one_way ? 0.5 : 0.8, 1e-9);
    EXPECT_EQ(summary_of(named(report, "sm_90"), results, {}).of, "bus");
  }
}

TEST_F(ClaimsTest, ComputeBoundProblemsAreComparedWithTheArithmeticCeilingOfTheirPrecision) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  db::Session session = store_.sessions().at(0);
  session.float_gflops = 60e3;
  session.double_gflops = 30e3;
  store_.update_session(session.id, session);
  rows.kernel("convolution", "constant", "[]", "{}");
  for (const char* type : {"float", "double"}) {
    db::Trial trial = rows.measured(rows.configuration({{"block_x", 32}}), 1000);
    trial.problem_id = store_.upsert(db::Problem{.pattern = "convolution",
                                                 .types = type,
                                                 .shape = "4096x4096",
                                                 .bytes_read = 1e6,
                                                 .bytes_written = 1e6,
                                                 .operations = 15e9,
                                                 .arithmetic = type});
    store_.add_trial(trial);
  }
  const Report report = read_report(store_);
  for (const ProblemResults& results : named(report, "sm_90").problems) {
    const bool is_float = results.problem.types == "float";
    ASSERT_TRUE(results.ceiling);
    EXPECT_EQ(results.ceiling->name, "arithmetic");
    EXPECT_NEAR(*results.share_of_ceiling(1000), is_float ? 0.25 : 0.5, 1e-9);
    EXPECT_EQ(summary_of(named(report, "sm_90"), results, {}).of, "FMA");
  }
}

TEST_F(ClaimsTest, AComputeBoundPredictionIsComparedWithThePeakArithmeticOfItsBoard) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  rows.kernel("nbody", "tiled", "[]", "{}");
  db::Trial trial = rows.predicted(rows.configuration({{"block_size", 128}}), 1000);
  trial.problem_id = store_.upsert(db::Problem{.pattern = "nbody",
                                               .types = "float",
                                               .shape = "65536",
                                               .bytes_read = 1e6,
                                               .bytes_written = 1e6,
                                               .operations = 33.45e9,
                                               .arithmetic = "float"});
  store_.add_trial(trial);
  const Report report = read_report(store_);
  EXPECT_EQ(summary(report, "sm_90").of, "peak FMA");
  EXPECT_NEAR(*summary(report, "sm_90").share, 33.45e9 / 1e-3 / 66.908e12, 1e-3);
  EXPECT_THAT(page(report, "sm_90.html"), HasSubstr("<b>50.0</b> <small>% peak FMA"));
}

TEST_F(ClaimsTest, WithoutABusRateAPipelineHasNoCeiling) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  db::Session session = store_.sessions().at(0);
  session.bus_to_device_gbs.reset();
  session.bus_to_host_gbs.reset();
  store_.update_session(session.id, session);
  rows.kernel("pipeline", "one_stream", "[]", "{}");
  db::Trial trial = rows.measured(rows.configuration({{"chunks", 4}}), 10000);
  trial.problem_id = store_.upsert(
      db::Problem{.pattern = "pipeline", .types = "float", .shape = "1024", .bytes_read = 4096, .bus_to_device = 4096});
  store_.add_trial(trial);
  const Report report = read_report(store_);
  EXPECT_FALSE(named(report, "sm_90").problems.at(0).ceiling) << "neither a copy nor the board's peak bounds it";
}

TEST_F(ClaimsTest, APredictionIsNotComparedWithMeasurementsOfOthers) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  rows.problem("reduce", "op=sum", "1048576", 4);
  rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
  store_.add_trial(rows.predicted(rows.configuration({{"block_size", 64}}), 5));
  rows.baseline("cub", "device_reduce", "", true, 7);
  const Report report = read_report(store_);
  const ProblemResults& results = named(report, "sm_90").problems.at(0);
  ASSERT_TRUE(results.best);
  const std::vector<LibraryTime> found = library_times(results);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].ratio);
  EXPECT_FALSE(summary(report, "sm_90").library_is_faster());
  EXPECT_THAT(page(report, "sm_90.html"), HasSubstr("Predicted, not measured"));
}

TEST_F(ClaimsTest, PredictedTimesCloserThanTheModelsErrorAreOneBand) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  rows.problem("reduce", "op=sum", "1048576", 4);
  for (const char* kernel : {"sequential", "warp_shuffle", "tree"}) {
    rows.kernel("reduce", kernel, sequential_axes, "{.block_size = 128}");
    const double us = std::string(kernel) == "tree" ? 20 : 10;
    for (const int block : {32, 64}) store_.add_trial(rows.predicted(rows.configuration({{"block_size", block}}), us));
  }
  const Report report = read_report(store_);
  const ProblemResults& results = named(report, "sm_90").problems.at(0);
  EXPECT_THAT(results.best->tied, SizeIs(3));
  const std::string html = page(report, "sm_90-reduce");
  EXPECT_THAT(html, HasSubstr("3 other configurations cannot be told apart from the best"));
  EXPECT_THAT(html, HasSubstr("likely from</dt><dd>7.00 to 15.0"));
  EXPECT_THAT(html, HasSubstr("limited by</dt><dd>DRAM"));
}

TEST_F(ClaimsTest, AlteredRowsAreReported) {
  fill(store_, 1);
  EXPECT_THAT(read_report(store_).altered, IsEmpty());
  SQLite::Database(store_.path().string(), SQLite::OPEN_READWRITE).exec("UPDATE trial SET median_us = 1 WHERE id = 3");
  const Report report = read_report(store_);
  ASSERT_THAT(report.altered, SizeIs(1));
  EXPECT_EQ(report.altered[0].text(), "trial 3: its content is not what was stored");
}

TEST_F(ClaimsTest, TheBannerSaysHowManyConfigurationsWereCheckedAndHow) {
  Rows rows = in_a_session();
  const auto says = [&](const std::string& text) {
    EXPECT_THAT(page("sm_90.html"), HasSubstr(text));
    EXPECT_THAT(page("index.html"), HasSubstr(text));
  };
  const auto add = [&](int block, std::optional<int> cases) {
    rows.problem("reduce", "op=sum", "1048576", 4);
    rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
    db::Trial trial = rows.predicted(rows.configuration({{"block_size", block}}), 10);
    trial.simulated_cases = cases;
    if (cases == 0) trial.verdict = "unchecked";
    store_.add_trial(trial);
  };
  add(32, 0);
  says("<b>Nothing was checked</b>. No run of conform is stored.");
  add(64, 12);
  says("Nothing fails: 1 predicted configuration passed in the simulator and 1 is not checked. No run");
  measured_reduction(rows, 9);
  reduce(rows, "1048576", "sequential", 128, 9);
  says("2 measured configurations are right, 1 predicted configuration passed in the simulator and 1 is not checked.");
}

}  // namespace
}  // namespace warpwright::reports
