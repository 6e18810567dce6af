// Tests of the settings for unknown data and for all sizes.
#include <gmock/gmock.h>

#include <cmath>
#include <tuple>

#include "db/exchange/best_table.hpp"
#include "db/query/query.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class UnknownDataTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};

  void add(int tile_dim, double us, const char* data, std::optional<Id> board = {}) {
    Trial trial = example_.measured(tile_dim, us);
    trial.problem_id = example_.problem_of("1024", "", "bins=256", data);
    trial.board_id = board.value_or(example_.board);
    store_.add_trial(trial);
  }

  // Expects the third configuration, which loses 10 % at most, on the answer's own problem.
  static void expect_third(const std::optional<OneForAll>& one, const Best& answer, std::size_t among) {
    ASSERT_TRUE(one);
    EXPECT_EQ(one->setting.params, "{.tile_dim = 3}");
    EXPECT_EQ(one->setting.problem.data, answer.winner.problem.data);
    EXPECT_EQ(one->setting.problem.shape, answer.winner.problem.shape);
    EXPECT_NEAR(one->worst_loss, 0.1, 1e-12);
    EXPECT_EQ(one->among, among);
  }
};

TEST_F(UnknownDataTest, IsTheConfigurationWhoseGreatestLossIsLeast) {
  add(1, 10, "uniform");
  add(1, 30, "zipf");
  add(2, 12, "uniform");
  add(2, 20, "zipf");
  add(3, 11, "uniform");
  add(3, 21, "zipf");
  const std::vector<Best> answers = best(store_, {.arch = "sm_90"});
  ASSERT_THAT(answers, SizeIs(2));
  for (const Best& answer : answers) {
    expect_third(answer.any_data, answer, 2);
    ASSERT_TRUE(answer.any_data);
    EXPECT_EQ(answer.any_data->worst_at, "uniform");
    EXPECT_NEAR(answer.any_data->loss, answer.winner.problem.data == "uniform" ? 0.1 : 0.05, 1e-12);
  }
  EXPECT_THAT(best_notes(answers, {.width = 0}),
              HasSubstr("Where the data of transpose 1024 float, bins=256 is not known: "
                        "tiled {.tile_dim = 3}, of 2 data sets at most 10.0 % slower than the "
                        "best (uniform)\n"));
}

TEST_F(UnknownDataTest, IsAbsentIfNoConfigurationWasTimedOnAllDataSets) {
  add(1, 10, "uniform");
  add(2, 20, "zipf");
  for (const Best& answer : best(store_, {.arch = "sm_90"})) EXPECT_FALSE(answer.any_data);
}

TEST_F(UnknownDataTest, IsOfOneBoardAndOnlyIfTheQueryNamesNoData) {
  add(1, 10, "uniform");
  const Id other = store_.upsert(Board{.model = "NVIDIA H100", .arch = "sm_90", .sm_count = 132, .source = "device"});
  add(1, 20, "zipf", other);
  for (const Best& answer : best(store_, {.arch = "sm_90"})) EXPECT_FALSE(answer.any_data) << answer.match;
  add(1, 20, "zipf");
  for (const Best& answer : best(store_, {.arch = "sm_90", .board = "NVIDIA H200"})) EXPECT_TRUE(answer.any_data);
  const std::vector<Best> of_zipf = best(store_, {.arch = "sm_90", .settings = {{"data", "zipf"}}});
  ASSERT_THAT(of_zipf, SizeIs(1));
  EXPECT_FALSE(of_zipf.front().any_data);
  EXPECT_THAT(best_notes(of_zipf, {.width = 0}), Not(HasSubstr("is not known")));
}

class AllSizesTest : public UnknownDataTest {
 protected:
  AllSizesTest() {
    add(1, {10, 20, 100});
    add(2, {12, 10, 100});  // loses 20, 0 and 0 %
    add(3, {11, 11, 110});  // loses 10 % everywhere
    Trial elsewhere = example_.measured(4, 1);
    elsewhere.problem_id = example_.problem_of("64", "", "bins=256");
    store_.add_trial(elsewhere);
  }

  void add(int tile_dim, const std::vector<double>& us) {
    for (std::size_t i = 0; i < us.size(); ++i) {
      Trial trial = example_.measured(tile_dim, us[i]);
      trial.problem_id = example_.problem_of(shapes_[i], "", "bins=256");
      store_.add_trial(trial);
    }
  }

  std::vector<Best> ask(Robust by) {
    return best(store_, {.arch = "sm_90", .robust = by, .sizes = {{1024}, {2048}, {4096}}});
  }

  const std::vector<std::string> shapes_ = {"1024", "2048", "4096"};
};

TEST_F(AllSizesTest, OneSettingLosesLeastInTheWorstCaseAndAnotherInTheGeometricMean) {
  const std::vector<Best> worst = ask(Robust::worst);
  ASSERT_THAT(worst, SizeIs(3));
  for (const Best& answer : worst) expect_third(answer.all_sizes, answer, 3);
  const std::vector<Best> mean = ask(Robust::geomean);
  ASSERT_TRUE(mean.at(0).all_sizes);
  EXPECT_EQ(mean[0].all_sizes->setting.params, "{.tile_dim = 2}");
  EXPECT_EQ(mean[0].all_sizes->worst_at, "1024");
  EXPECT_NEAR(mean[0].all_sizes->loss, 0.2, 1e-12);
  EXPECT_NEAR(mean[0].all_sizes->mean_loss, std::cbrt(1.2) - 1, 1e-12);
  EXPECT_NEAR(mean[2].all_sizes->loss, 0, 1e-12);
  EXPECT_THAT(
      best_notes(mean, {.width = 0}),
      HasSubstr("One configuration for 3 sizes of transpose float, bins=256, data=uniform: tiled {.tile_dim = 2} "
                "loses 20.0 % at 1024, 0.0 % at 2048, 0.0 % at 4096; 6.3 % in the geometric mean\n"));
}

TEST_F(AllSizesTest, TheLossIsOfWhatTheObjectiveIs) {
  // In time the second one loses less.
  for (const std::string& shape : {shapes_[0], shapes_[1]})
    for (const auto& [tile_dim, us, joules] :
         {std::tuple(5, 10.0, 0.004), std::tuple(6, 11.0, shape == shapes_[0] ? 0.003 : 0.0044)}) {
      Trial trial = example_.measured(tile_dim, us);
      trial.joules = joules;
      trial.problem_id = example_.problem_of(shape, "", "bins=256");
      store_.add_trial(trial);
    }
  const std::vector<Best> answers = best(store_, {.arch = "sm_90", .objective = Objective::energy});
  ASSERT_THAT(answers, SizeIs(2));
  ASSERT_TRUE(answers[1].all_sizes);
  EXPECT_EQ(answers[1].all_sizes->setting.params, "{.tile_dim = 6}");
  EXPECT_NEAR(answers[1].all_sizes->loss, 0.1, 1e-12);
  EXPECT_THAT(best_notes(answers, {.width = 0}), HasSubstr("{.tile_dim = 6} loses in energy 0.0 % at 1024, 10.0 % at"));
}

TEST_F(AllSizesTest, ThereIsNoneIfNoSettingWasTimedAtAllSizes) {
  for (const Best& answer : best(store_, {.arch = "sm_90"})) EXPECT_FALSE(answer.all_sizes);
}

}  // namespace
}  // namespace warpwright::db
