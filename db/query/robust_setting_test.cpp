// Tests of the settings for unknown data.
#include <gmock/gmock.h>

#include "db/exchange/best_table.hpp"
#include "db/query/query.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class AnyDataTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  Bench bench_{store_};

  void add(int tile_dim, double us, const char* data, std::optional<Id> board = {}) {
    Trial trial = bench_.measured(tile_dim, us);
    trial.problem_id = bench_.problem_of("1024", "", "bins=256", data);
    trial.board_id = board.value_or(bench_.board);
    store_.add_trial(trial);
  }
};

TEST_F(AnyDataTest, IsTheConfigurationWhoseGreatestLossIsLeast) {
  add(1, 10, "uniform");
  add(1, 30, "zipf");
  add(2, 12, "uniform");
  add(2, 20, "zipf");
  add(3, 11, "uniform");
  add(3, 21, "zipf");
  const std::vector<Best> answers = best(store_, {.arch = "sm_90"});
  ASSERT_THAT(answers, SizeIs(2));
  for (const Best& answer : answers) {
    ASSERT_TRUE(answer.any_data);
    EXPECT_EQ(answer.any_data->setting.params, "{.tile_dim = 3}");
    EXPECT_EQ(answer.any_data->setting.problem.data, answer.winner.problem.data);
    EXPECT_NEAR(answer.any_data->worst_loss, 0.1, 1e-12);
    EXPECT_EQ(answer.any_data->worst_data, "uniform");
    EXPECT_EQ(answer.any_data->data_sets, 2U);
    EXPECT_NEAR(answer.any_data->loss, answer.winner.problem.data == "uniform" ? 0.1 : 0.05, 1e-12);
  }
  EXPECT_THAT(best_notes(answers, {.width = 0}),
              HasSubstr("Where the data of transpose[bins=256,float,1024] is not known: "
                        "tiled {.tile_dim = 3}, of 2 data sets at most 10.0 % slower than the "
                        "best (uniform)\n"));
}

TEST_F(AnyDataTest, IsAbsentIfNoConfigurationWasTimedOnAllDataSets) {
  add(1, 10, "uniform");
  add(2, 20, "zipf");
  for (const Best& answer : best(store_, {.arch = "sm_90"})) EXPECT_FALSE(answer.any_data);
}

TEST_F(AnyDataTest, IsOfOneBoardAndOnlyIfTheQueryNamesNoData) {
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

}  // namespace
}  // namespace warpwright::db
