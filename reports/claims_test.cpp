// Tests that a report does not claim more than is known: predictions, bands, ceilings, altered rows.
#include <gmock/gmock.h>

#include <algorithm>

#include "db/store/connection.hpp"
#include "reports/effects.hpp"
#include "reports/figures.hpp"
#include "reports/model_fixture.hpp"
#include "reports/sections.hpp"
#include "reports/sentences.hpp"

namespace warpwright::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using ClaimsTest = ModelTest;

TEST_F(ClaimsTest, TheEffectOfAnAxisIsComputedPerKernel) {
  fill(store_, 1);
  const Report report = read_report(store_);
  const Contest& reduce = named(report, "sm_90").contests.at(0);
  std::vector<std::string> names;
  for (const Axis& axis : axes(reduce, "sequential")) {
    names.push_back(axis.name);
    for (const auto& [value, times] : axis.times) EXPECT_THAT(times, SizeIs(8 / axis.values.size()));
  }
  EXPECT_THAT(names, ElementsAre("block_size", "coarsening"));
  EXPECT_THAT(axes(reduce, "grid_stride"), SizeIs(3));
  EXPECT_THAT(axes(reduce, "none"), IsEmpty());
  const std::string part = effects_part(reduce);
  EXPECT_THAT(part, HasSubstr("grid_stride: block_size matters most"));
  EXPECT_THAT(part, HasSubstr("sequential: block_size matters most"));
}

TEST_F(ClaimsTest, BusTransfersAreComparedWithTheBusCeiling) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  const auto best_of = [&](double to_device, double to_host) {
    const db::Id problem = store_.upsert(db::Problem{.pattern = "pipeline",
                                                     .types = "float",
                                                     .shape = std::to_string(1000 + static_cast<int>(to_device)),
                                                     .bytes_read = 5e9,
                                                     .bytes_written = 5e9,
                                                     .bus_to_device = to_device,
                                                     .bus_to_host = to_host});
    filler.kernel("pipeline", "one_stream", "[]", "{}");
    db::Trial trial = filler.measured(filler.configuration({{"chunks", 4}}), 10000);
    trial.problem_id = problem;
    store_.add_trial(trial);
  };
  best_of(275e6, 0);
  best_of(110e6, 400e6);
  const Report report = read_report(store_);
  for (const Contest& contest : named(report, "sm_90").contests) {
    ASSERT_TRUE(contest.ceiling);
    EXPECT_EQ(contest.ceiling->name, "bus");
    const bool one_way = contest.problem.bus_to_host == 0;
    EXPECT_NEAR(contest.ceiling->rate, one_way ? 55 : 50, 1e-9) << "of the direction that takes longest";
    EXPECT_NEAR(*contest.share_of_ceiling(10000), one_way ? 0.5 : 0.8, 1e-9);
    EXPECT_THAT(contest_sentence(contest), HasSubstr("of the bus ceiling of"));
  }
}

TEST_F(ClaimsTest, ComputeBoundProblemsAreComparedWithTheArithmeticCeilingOfTheirPrecision) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  db::Session session = store_.sessions().at(0);
  session.float_gflops = 60e3;
  session.double_gflops = 30e3;
  store_.update_session(session.id, session);
  filler.kernel("convolution", "constant", "[]", "{}");
  for (const char* type : {"float", "double"}) {
    db::Trial trial = filler.measured(filler.configuration({{"block_x", 32}}), 1000);
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
  for (const Contest& contest : named(report, "sm_90").contests) {
    const bool is_float = contest.problem.types == "float";
    ASSERT_TRUE(contest.ceiling);
    EXPECT_EQ(contest.ceiling->name, "arithmetic");
    EXPECT_NEAR(*contest.share_of_ceiling(1000), is_float ? 0.25 : 0.5, 1e-9);
    EXPECT_THAT(contest_sentence(contest), HasSubstr(is_float ? "25.0 % of the arithmetic ceiling of 60 TFLOP/s"
                                                              : "50.0 % of the arithmetic ceiling of 30 TFLOP/s"));
  }
}

TEST_F(ClaimsTest, AComputeBoundPredictionIsComparedWithThePeakArithmeticOfItsBoard) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  filler.kernel("nbody", "tiled", "[]", "{}");
  db::Trial trial = filler.predicted(filler.configuration({{"block_size", 128}}), 1000);
  trial.problem_id = store_.upsert(db::Problem{.pattern = "nbody",
                                               .types = "float",
                                               .shape = "65536",
                                               .bytes_read = 1e6,
                                               .bytes_written = 1e6,
                                               .operations = 33.45e9,
                                               .arithmetic = "float"});
  store_.add_trial(trial);
  const Report report = read_report(store_);
  const Architecture& architecture = named(report, "sm_90");
  EXPECT_THAT(contest_sentence(architecture.contests.at(0)),
              HasSubstr("50.0 % of the board's peak arithmetic of 66.91 TFLOP/s"));
  EXPECT_THAT(overview_section(architecture), HasSubstr("50.0 %"));
}

TEST_F(ClaimsTest, WithoutABusRateAPipelineHasNoCeiling) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  db::Session session = store_.sessions().at(0);
  session.bus_to_device_gbs.reset();
  session.bus_to_host_gbs.reset();
  store_.update_session(session.id, session);
  filler.kernel("pipeline", "one_stream", "[]", "{}");
  db::Trial trial = filler.measured(filler.configuration({{"chunks", 4}}), 10000);
  trial.problem_id = store_.upsert(
      db::Problem{.pattern = "pipeline", .types = "float", .shape = "1024", .bytes_read = 4096, .bus_to_device = 4096});
  store_.add_trial(trial);
  const Report report = read_report(store_);
  EXPECT_FALSE(named(report, "sm_90").contests.at(0).ceiling) << "neither a copy nor the board's peak bounds it";
}

TEST_F(ClaimsTest, APredictionIsNotComparedWithMeasurementsOfOthers) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  filler.problem("reduce", "op=sum", "1048576", 4);
  filler.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
  store_.add_trial(filler.predicted(filler.configuration({{"block_size", 64}}), 5));
  filler.baseline("cub", "device_reduce", "", true, 7);
  const Report report = read_report(store_);
  const Contest& contest = named(report, "sm_90").contests.at(0);
  ASSERT_TRUE(contest.best);
  const std::vector<Rival> found = rivals(contest);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].ratio(contest));
  EXPECT_THAT(rivals_sentence(contest, found), HasSubstr("No library was timed beside ours"));
}

TEST_F(ClaimsTest, PredictedTimesCloserThanTheModelsErrorAreOneBand) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  filler.problem("reduce", "op=sum", "1048576", 4);
  for (const char* kernel : {"sequential", "warp_shuffle", "tree"}) {
    filler.kernel("reduce", kernel, sequential_axes, "{.block_size = 128}");
    const double us = std::string(kernel) == "tree" ? 20 : 10;
    for (const int block : {32, 64})
      store_.add_trial(filler.predicted(filler.configuration({{"block_size", block}}), us));
  }
  const Report report = read_report(store_);
  const Contest& contest = named(report, "sm_90").contests.at(0);
  EXPECT_EQ(std::ranges::count_if(contest.rows, [&](const Row& row) { return contest.in_band(*row.view); }), 4);
  EXPECT_THAT(contest_sentence(contest), HasSubstr("is one of 4 equals"));
  EXPECT_THAT(contest_sentence(contest), HasSubstr("configurations of sequential and warp_shuffle"));
  EXPECT_THAT(ladder_sentence(contest), HasSubstr("are equal as far as the model tells"));
  EXPECT_THAT(effects_part(contest), HasSubstr("no value of a parameter costs the best time more than 10 %"));
  EXPECT_EQ(contest.rows.at(0).verdict(), "passed, 1 case");
}

TEST_F(ClaimsTest, PredictedTimesAreNotCorrelatedWithTheModelsOwnInputs) {
  fill(store_, 1);
  const Report report = read_report(store_);
  const Contest& measured = named(report, "sm_90").contests.at(0);
  const Contest& predicted = named(report, "sm_75").contests.at(0);
  EXPECT_THAT(occupancy_sentence(measured), HasSubstr("rank correlation"));
  EXPECT_THAT(access_sentence(measured), HasSubstr("rank correlation"));
  EXPECT_THAT(occupancy_sentence(predicted), testing::Not(HasSubstr("correlation")));
  EXPECT_THAT(access_sentence(predicted), testing::Not(HasSubstr("correlation")));
  EXPECT_THAT(access_sentence(predicted), HasSubstr("per request"));
}

TEST_F(ClaimsTest, AlteredRowsAreReported) {
  fill(store_, 1);
  EXPECT_THAT(read_report(store_).altered, IsEmpty());
  SQLite::Database(store_.path().string(), SQLite::OPEN_READWRITE).exec("UPDATE trial SET median_us = 1 WHERE id = 3");
  const Report report = read_report(store_);
  ASSERT_THAT(report.altered, SizeIs(1));
  EXPECT_EQ(report.altered[0].text(), "trial 3: its content is not what was stored");
}

}  // namespace
}  // namespace warpwright::reports
