// Tests that predicting keeps its budget, with a clock that the tests move.
#include "tuner/predicting/predict_tasks.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "db/query/query.hpp"
#include "kernels/core/boards.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "tuner/tasks/progress.hpp"

namespace warpwright::tuner {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class PredictedInTime : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string error = build_.compiler.toolchain().host_error; !error.empty()) GTEST_SKIP() << error;
    tasks_ = tuning_tasks(catalogue(), request_, board_.device);
    ASSERT_THAT(tasks_, SizeIs(2));
    for (TuningTask& task : tasks_) task.progress = &progress_;
  }

  /// How many configurations of each task were evaluated.
  std::vector<int> predict(const Budget& budget) {
    std::vector<int> configurations;
    predict_tasks(context_, tasks_, request_, recorder_, leases_, budget,
                  [&](const TuningTask&, const PredictedTask& done) {
                    configurations.push_back(done.outcome.configurations);
                    after_task_();
                  });
    return configurations;
  }

  std::size_t trials() const { return db::trials(store_, {}).size(); }

  TemporaryFolder folder_;
  db::Store store_{folder_ / "test.db"};
  Board board_ = default_board(75);
  std::atomic<bool> interrupted_ = false, workers_end_ = false;
  worker::BuildService build_{
      catalogue().sources(), std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache", {.asked = &workers_end_}};
  TuningContext context_{catalogue(), build_, board_.device, interrupted_};
  TuningRequest request_{.globs = {"transpose/copy"},
                         .sizes = {"1024x1024", "2048x2048"},
                         .types = {"float"},
                         .with = {"op=copy"},
                         .budget_seconds = 600};
  std::vector<TuningTask> tasks_;
  Recorder recorder_{store_, catalogue(), board_.device, "table", {}, {.command = "tune", .target = "sm_75"}};
  db::Leases leases_{store_, recorder_.session().id};
  std::function<void()> after_evaluation_ = [] {}, after_task_ = [] {};
  double now_ = 0;
  Progress progress_{600.0,
                     {.clock = [this] { return now_ += 10; },
                      .show =
                          [this](const std::string& line) {
                            if (line.find(", best ") != std::string::npos) after_evaluation_();
                          }}};
};

TEST_F(PredictedInTime, UnfinishedEvaluationsAreDroppedWithTheirLeasesAndFinishedOnesAreStored) {
  after_evaluation_ = [this] {
    workers_end_ = true;  // as their deadline is the end of the budget
    BudgetClock::ahead = BudgetClock::ahead.load() + std::chrono::hours(1);
  };
  const auto configurations = predict(Budget(600));
  ASSERT_THAT(configurations, SizeIs(2));
  EXPECT_GE(configurations[0], 1);
  EXPECT_LT(configurations[0], static_cast<int>(tasks_[0].configurations));
  EXPECT_EQ(configurations[1], 0) << "it was not begun";
  EXPECT_EQ(trials(), configurations[0]);
  EXPECT_THAT(db::leases_held(store_), IsEmpty());
}

TEST_F(PredictedInTime, WorkersThatEndBeforeTheBudgetStopTheRun) {
  after_evaluation_ = [this] { workers_end_ = true; };
  EXPECT_THROW(predict(Budget(600)), Stopped);
}

TEST_F(PredictedInTime, ATaskForWhichThereIsNoTimeIsDoneWithoutAnEvaluation) {
  EXPECT_THAT(predict(Budget(1e-9)), testing::ElementsAre(0, 0));
  EXPECT_EQ(trials(), 0);
}

}  // namespace
}  // namespace warpwright::tuner
