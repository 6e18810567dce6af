// Tests of comparing predicted and measured times of the same configurations.
#include "db/query/model_check.hpp"

#include <gmock/gmock.h>

#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ModelCheckTest : public testing::Test {
 protected:
  // Adds a configuration with this tile size, its measured time and its predicted time.
  void add(int tile, double measured_us, double predicted_us) {
    store_.add_trial(example_.measured(tile, measured_us));
    store_.add_trial(example_.predicted(tile, predicted_us));
  }

  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
};

TEST_F(ModelCheckTest, MeasuredTrialsAloneGiveNothing) {
  store_.add_trial(example_.measured(32, 10));
  EXPECT_THAT(check_model(store_, {}), IsEmpty());
  EXPECT_EQ(text_of(std::vector<ModelCheck>()), "");
}

TEST_F(ModelCheckTest, TheRankCorrelationAndTheLossesAreOfTheSameConfigurations) {
  // The model swaps the two fastest.
  const std::vector<double> measured{10, 11, 20, 30, 40, 50};
  const std::vector<double> predicted{6, 5, 10, 15, 20, 100};
  for (std::size_t i = 0; i < measured.size(); ++i) add(static_cast<int>(i) + 1, measured[i], predicted[i]);
  store_.add_trial(example_.measured(99, 1));
  const auto checks = check_model(store_, {});
  ASSERT_THAT(checks, SizeIs(2));
  EXPECT_EQ(checks[0].kernel, "");
  EXPECT_NE(checks[1].kernel, "");
  for (const ModelCheck& check : checks) {
    EXPECT_THAT(check.times, SizeIs(6));
    EXPECT_NEAR(*check.spearman, 1 - 6.0 * 2 / (6 * 35), 1e-12);
    EXPECT_NEAR(check.best_loss, 0.1, 1e-12);
    EXPECT_NEAR(check.top10_loss, 0, 1e-12);
    EXPECT_NEAR(check.median_ratio, 0.5, 1e-12);
  }
  const std::string text = text_of(checks);
  EXPECT_THAT(text, HasSubstr("Spearman  0.94, predicted best loses 10.0 %, top 10 0.0 %, predicted / measured 0.50"));
}

TEST_F(ModelCheckTest, AFilterSelectsTheTrials) {
  for (int i = 1; i < 7; ++i) add(i, i, i);
  EXPECT_THAT(check_model(store_, {.pattern = "nothing"}), IsEmpty());
  EXPECT_NEAR(*check_model(store_, {}).front().spearman, 1, 1e-12);
}

TEST_F(ModelCheckTest, ProblemsOfOneTitleAreDifferentOnes) {
  const auto problem_of = [&](const char* variant) {
    return store_.upsert(
        Problem{.pattern = "transpose", .variant = variant, .types = "float", .shape = "8x8", .title = "8x8 float"});
  };
  example_.problem = problem_of("op=sum");
  add(1, 10, 11);
  example_.problem = problem_of("op=max");
  store_.add_trial(example_.measured(1, 40));
  const auto checks = check_model(store_, {});
  ASSERT_THAT(checks, SizeIs(2)) << "all kernels and one";
  EXPECT_EQ(checks[0].problem.variant, "op=sum");
  EXPECT_EQ(checks[0].times.at(0).measured_us, 10);
}

TEST_F(ModelCheckTest, WrongConfigurationsDoNotCount) {
  for (int i = 1; i < 7; ++i) add(i, i, i);
  Trial wrong = example_.measured(7, 0.1);
  wrong.verdict = "failed";
  store_.add_trial(wrong);
  EXPECT_NEAR(check_model(store_, {}).front().best_loss, 0, 1e-12);
}

TEST(RankCorrelation, IsOneForEqualOrdersAndNothingForConstants) {
  EXPECT_NEAR(*rank_correlation({1, 2, 3, 4, 5}, {10, 20, 30, 40, 500}), 1, 1e-12);
  EXPECT_NEAR(*rank_correlation({1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}), -1, 1e-12);
  EXPECT_FALSE(rank_correlation({1, 1, 1, 1, 1}, {1, 2, 3, 4, 5}));
  EXPECT_FALSE(rank_correlation({1, 2}, {1, 2}));
}

}  // namespace
}  // namespace warpwright::db
