// Tests of the published figures: the file is complete, and ours is compared with one only if both are for the same
// problem.
#include "reports/published.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "reports/assets.hpp"
#include "reports/model_fixture.hpp"

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PublishedFigures : public ModelTest {
 protected:
  std::vector<PublishedFigure> figures_ = published_figures(asset("published.json"));

  // Our result for the figure, in the database of fill().
  Counterpart ours(const PublishedFigure& figure, const std::string& arch = "sm_90") {
    if (report_.architectures.empty()) {
      fill(store_, 1);
      report_ = read_report(store_);
    }
    return counterpart(named(report_, arch), figure);
  }

  // In fill(): 129.5 us with padding, 190 without.
  PublishedFigure padded_{.pattern = "transpose",
                          .types = "float",
                          .shape = Shape{8192, 8192},
                          .kernel = "tiled",
                          .params = {{"bank_pad", "1"}},
                          .scope = "kernel"};
  Report report_;
};

TEST_F(PublishedFigures, AreCompleteRows) {
  const std::set<std::string> scopes{"kernel", "copies", "call", "block", "CPU"};
  const std::set<std::string> units{"ms", "us", "atom-steps/s", "streams"};
  std::set<std::string> seen;
  EXPECT_EQ(figures_.size(), 80U);
  for (const PublishedFigure& figure : figures_) {
    EXPECT_THAT(figure.pattern, Not(IsEmpty())) << figure.what;
    EXPECT_THAT(figure.types, Not(IsEmpty())) << figure.what;
    EXPECT_THAT(figure.board, Not(IsEmpty())) << figure.what;
    EXPECT_THAT(figure.source, Not(IsEmpty())) << figure.what;
    EXPECT_TRUE(scopes.contains(figure.scope)) << figure.what << ": " << figure.scope;
    EXPECT_TRUE(units.contains(figure.unit)) << figure.what << ": " << figure.unit;
    EXPECT_GT(figure.value, 0) << figure.what;
    EXPECT_TRUE(seen.insert(figure.what + figure.board).second) << figure.what << " of " << figure.board << " twice";
  }
}

TEST_F(PublishedFigures, AreConvertedAndAreSharesOfTheStatedPeaks) {
  const auto found = [&](const std::string& what, const std::string& board) {
    for (const PublishedFigure& figure : figures_)
      if (figure.what == what && figure.board == board) return figure;
    ADD_FAILURE() << what << " of " << board;
    return PublishedFigure{};
  };
  EXPECT_NEAR(*found("vector add of 1e8 floats", "RTX 2080 Ti").share_of_peak, 0.93, 0.005);
  EXPECT_NEAR(*found("vector add of 1e8 floats", "RTX 2070 laptop").share_of_peak, 0.81, 0.005);
  EXPECT_NEAR(*found("vector add of 1e8 doubles", "V100").share_of_peak, 0.89, 0.005);
  EXPECT_NEAR(*found("reduction of 1e8 floats, grid stride without allocation", "RTX 2070 laptop").share_of_peak, 0.60,
              0.005);
  EXPECT_EQ(found("vector add of 1e8 floats", "V100").us, 1500);
  EXPECT_EQ(found("convolution, tiles in shared memory", "V100").us, 287);
  EXPECT_FALSE(found("whole steps of 256,000 atoms", "RTX 2070 laptop").us) << "a rate";
  EXPECT_FALSE(found("scan of 1e6 floats by Thrust", "RTX 2070 SUPER").share_of_peak) << "its peak is not stated";
}

TEST_F(PublishedFigures, AreComparedWithAKernelThatHasTheSameParams) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  rows.problem("transpose", "", "8192x8192", 4);
  const db::Id kernel = rows.kernel("transpose", "write_coalesced", "[]", "{}");
  store_.add_trial(
      rows.measured(store_.upsert(db::Configuration{
                        .kernel_id = kernel, .params = "{.read_only = false}", .params_json = R"({"read_only": 0})"}),
                    150));
  report_ = read_report(store_);
  padded_.kernel = "write_coalesced";
  padded_.params = {{"read_only", "false"}};
  EXPECT_EQ(ours(padded_).us, 150);
  padded_.params = {{"read_only", "true"}};
  EXPECT_FALSE(ours(padded_).results);
}

TEST_F(PublishedFigures, AreComparedWithTheSameKernelOnTheSameProblem) {
  const Counterpart result = ours(padded_);
  ASSERT_TRUE(result.results) << result.reason;
  EXPECT_EQ(result.us, 129.5);
  EXPECT_NEAR(*result.low_us, 129.5 * 0.995, 1e-9);
  EXPECT_NEAR(*result.high_us, 129.5 * 1.006, 1e-9);
  EXPECT_NEAR(*result.share_of_peak, 8.0 * (1 << 26) / 129.5e-6 / 4800e9, 1e-9);
  PublishedFigure library = padded_;
  library.kernel.clear();
  library.library = "cublas";
  EXPECT_EQ(ours(library).us, 139);
}

TEST_F(PublishedFigures, StandBesideOurTimeAndItsInterval) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  rows.problem("map", "op=axpy", "100000000", 4e8, "double");
  rows.kernel("map", "axpy", "[]", "{}");
  store_.add_trial(rows.measured(rows.configuration({{"block_size", 128}}), 1000));
  const std::string ours = section("sm_90-map", "published");
  EXPECT_THAT(ours, AllOf(HasSubstr("vector add of 1e8 doubles"), HasSubstr("1 [0.995, 1.006]")));
}

TEST_F(PublishedFigures, AreComparedAsRatesIfTheyAreRates) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  rows.kernel("lennard_jones", "step", "[]", "{}");
  db::Trial trial = rows.measured(rows.configuration({{"block_size", 128}}), 2560);
  db::Problem problem{.pattern = "lennard_jones", .variant = "op=steps", .types = "float", .shape = "256000"};
  problem.steps = 1;
  trial.problem_id = store_.upsert(problem);
  store_.add_trial(trial);
  const auto figure = std::ranges::find(figures_, "whole steps of 256,000 atoms", &PublishedFigure::what);
  ASSERT_NE(figure, figures_.end());
  report_ = read_report(store_);
  EXPECT_THAT(ours(*figure).reason, HasSubstr("our rate in atom-steps/s is not known"));
  problem.amount = 20 * 256'000;
  problem.unit = "atom-steps";
  store_.upsert(problem);
  report_ = read_report(store_);
  const Counterpart result = ours(*figure);
  ASSERT_TRUE(result.rate) << result.reason;
  EXPECT_NEAR(result.rate->per_second, 2e9, 1);
}

TEST_F(PublishedFigures, AreNotComparedIfAnythingDiffers) {
  const auto why = [&](auto change, const std::string& arch = "sm_90") {
    PublishedFigure figure = padded_;
    change(figure);
    const Counterpart result = ours(figure, arch);
    EXPECT_EQ(result.results, nullptr) << result.what;
    return result.reason;
  };
  using Figure = PublishedFigure;
  EXPECT_THAT(why([](Figure& f) { f.shape = {10000, 10000}; }), HasSubstr("10000x10000, and we measured 8192x8192"));
  EXPECT_THAT(why([](Figure& f) { f.shape = Shape{1 << 26}; }), HasSubstr("its size is"));
  EXPECT_THAT(why([](Figure& f) { f.shape.reset(); }), HasSubstr("size was not published"));
  EXPECT_THAT(why([](Figure& f) { f.scope = "call"; }), HasSubstr("of a whole call"));
  EXPECT_THAT(why([](Figure& f) { f.scope = "copies"; }),
              HasSubstr("copies over the bus, ours of the work of the GPU"));
  EXPECT_THAT(why([](Figure& f) { f.kernel = "naive"; }), HasSubstr("no such kernel"));
  EXPECT_THAT(why([](Figure& f) { f.kernel.clear(); }), HasSubstr("kernel is not described"));
  EXPECT_THAT(why([](Figure& f) { f.params = {{"bank_pad", "2"}}; }), HasSubstr("no such kernel"));
  EXPECT_THAT(why([](Figure& f) { f.variant = "op=copy"; }), HasSubstr("no such problem"));
  EXPECT_THAT(why([](Figure& f) { f.numbers = "alpha=1"; }), HasSubstr("no such problem"));
  EXPECT_THAT(why([](Figure& f) { f.types = "double"; }), HasSubstr("no such problem"));
  EXPECT_THAT(why([](Figure& f) { f.library = "geam"; }), HasSubstr("no such kernel"));
  EXPECT_EQ(why([](Figure& f) { f.alone = "another algorithm"; }), "another algorithm");
  const auto reduction = [](Figure& f) {
    f = {.pattern = "reduce", .variant = "op=sum", .types = "float", .kernel = "grid_stride", .scope = "kernel"};
    f.shape = Shape{1 << 26};
  };
  EXPECT_THAT(why(reduction, "sm_75"), HasSubstr("measured no such problem")) << "it was predicted only";
  PublishedFigure measured;
  reduction(measured);
  EXPECT_TRUE(ours(measured).results);
}

}  // namespace
}  // namespace warpwright::reports
