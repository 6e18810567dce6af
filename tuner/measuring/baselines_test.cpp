// Tests of the comparison with libraries, on a GPU with scripted times: what is chosen, stored and printed.
#include "tuner/measuring/baselines.hpp"
#include "db/exchange/best_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/system/temporary_folder.hpp"
#include "tuner/measuring/fake_gpu.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr double kOursUs = 10;

worker::BaselineInfo baseline(const std::string& idiom, bool synchronises, int choices) {
  worker::BaselineInfo made{.pattern = "reduce",
                            .implementation = "toylib",
                            .idiom = idiom,
                            .version = "1.2",
                            .missing = {},
                            .synchronises = synchronises,
                            .observation = {},
                            .laws = {},
                            .knobs = {}};
  for (int k = 0; k < choices; ++k)
    made.knobs.push_back(
        {.knobs = {k}, .text = "{.k = " + std::to_string(k) + "}", .depth = 1.0 + k, .is_default = k == 0});
  return made;
}

/// Our winner takes 10 us; `times` has the time of a callable by its name and knob.
class Comparing : public testing::Test {
 protected:
  void SetUp() override {
    store_.emplace(folder_ / "tune.db");
    recorder_.emplace(*store_, catalogue(), Device{.model = "Toy", .sm_count = 2}, "device", db::Environment{},
                      db::Session{.command = "test"});
    writer_.emplace(store_mutex_, *recorder_);
    const Kernel& kernel = catalogue().kernel("reduce/sequential");
    db::Trial trial = recorder_->trial(prepare(kernel, kernel.default_point, problem_, Device{}), problem_, "measured");
    trial.verdict = "passed";
    trial.mode = gpu::timing_mode(false);
    trial.median_us = kOursUs;
    winner_ = store_->add_trial(trial);
  }

  std::vector<std::string> compare() {
    gpu_.usual.us = ours_us_;
    return compare_with_baselines(gpu_,
                                  {.problem = problem_,
                                   .winner = {},
                                   .winner_trial = winner_,
                                   .winner_us = ours_us_,
                                   .bounds =
                                       [](double depth, const std::string&) {
                                         return std::vector<std::vector<Bound>>{{{.relative = depth, .formula = {}}}};
                                       },
                                   .speed_of_light_us = 4,
                                   .end = end_},
                                  *writer_, stop_);
  }

  const TemporaryFolder folder_;
  const Problem problem_ = parse_problem("reduce[op=sum,float,1024]");
  std::optional<db::Store> store_;
  std::optional<Recorder> recorder_;
  std::mutex store_mutex_;
  std::optional<TrialWriter> writer_;
  db::Id winner_ = 0;
  std::atomic<bool> stop_ = false;
  Budget::End end_;
  double ours_us_ = kOursUs;
  FakeGpu gpu_;
};

TEST_F(Comparing, TheDefaultAndTheFastestKnobsAreStoredWithTheirRatios) {
  gpu_.baselines = {baseline("plain", false, 3)};
  gpu_.scripts["toylib/plain0"].us = 40;
  gpu_.scripts["toylib/plain1"].us = 20;
  gpu_.scripts["toylib/plain2"].us = 25;
  EXPECT_THAT(compare(), IsEmpty());
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre("ours", "toylib/plain0", "toylib/plain1")));
  EXPECT_THAT(gpu_.verified, SizeIs(3));
  for (const gpu::Candidate& candidate : gpu_.candidates)
    EXPECT_EQ(candidate.bounds.at(0).at(0).relative, 1.0 + static_cast<double>(candidate.callable->knobs.at(0)));
  const auto found = db::compared_baselines(*store_, winner_);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_TRUE(found[0].baseline.is_default);
  EXPECT_EQ(found[0].baseline.knobs, "{.k = 0}");
  EXPECT_NEAR(found[0].comparison.ratio, 4, 1e-9);
  EXPECT_FALSE(found[1].baseline.is_default);
  EXPECT_EQ(found[1].baseline.knobs, "{.k = 1}");
  EXPECT_NEAR(found[1].comparison.ratio, 2, 1e-9);
  EXPECT_EQ(found[1].comparison.rounds, 30);
  EXPECT_LE(found[1].comparison.low, found[1].comparison.ratio);
  EXPECT_THAT(found[1].baseline.samples_us, SizeIs(30));
  EXPECT_EQ(found[1].baseline.mode, gpu::timing_mode(false));
}

TEST_F(Comparing, AfterItsShareOfTheTimeOnlyTheDefaultOfALibraryIsTried) {
  gpu_.baselines = {baseline("plain", false, 3), baseline("other", false, 1)};
  for (const char* const name : {"plain0", "plain1", "plain2", "other0"})
    gpu_.scripts["toylib/" + std::string(name)].us = 40;
  gpu_.trial_seconds = 10;
  end_ = Budget::Clock::now() + std::chrono::seconds(33);
  EXPECT_THAT(compare(), ElementsAre(HasSubstr("toylib/plain was tried with 2 of its 3 choices of knobs")));
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre("ours", "toylib/other0"), ElementsAre("ours", "toylib/plain0")))
      << "first the one with nothing to search";
  EXPECT_THAT(db::compared_baselines(*store_, winner_), SizeIs(2));
  EXPECT_LT(Budget::Clock::now(), *end_);
  end_ = Budget::Clock::now() + std::chrono::hours(1);
  gpu_.rounds_of.clear();
  gpu_.baselines = {baseline("third", false, 3)};
  for (const char* const name : {"third0", "third1", "third2"}) gpu_.scripts["toylib/" + std::string(name)].us = 40;
  EXPECT_THAT(compare(), IsEmpty());
}

TEST_F(Comparing, ALibraryForWhichThereIsNoTimeIsLeftOut) {
  gpu_.baselines = {baseline("plain", false, 1), baseline("slow", false, 1), baseline("other", false, 1)};
  gpu_.scripts["toylib/plain0"].us = gpu_.scripts["toylib/other0"].us = 40;
  gpu_.scripts["toylib/slow0"].us = 1e6;
  gpu_.trial_seconds = 10;
  end_ = Budget::Clock::now() + std::chrono::seconds(50);
  EXPECT_THAT(compare(), ElementsAre(AllOf(HasSubstr("toylib/slow"), HasSubstr("no time was left for its rounds"))));
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre("ours", "toylib/plain0", "toylib/other0")));
  end_ = Budget::Clock::now();
  gpu_.baselines = {baseline("late", false, 1)};
  EXPECT_THAT(compare(), ElementsAre("toylib/late is left out: the budget was over"));
}

TEST_F(Comparing, TheRoundsOfTheWinnerTakeTimeToo) {
  gpu_.baselines = {baseline("plain", false, 1)};
  gpu_.scripts["toylib/plain0"].us = 4e5;
  ours_us_ = 5e5;
  const auto begin = Budget::Clock::now();
  end_ = begin + std::chrono::seconds(20);
  EXPECT_THAT(compare(), ElementsAre(HasSubstr("no time was left for its rounds"))) << "12 s and the winner's 15 s";
  EXPECT_LT(Budget::Clock::now(), *end_);
  end_ = Budget::Clock::now() + std::chrono::seconds(40);
  EXPECT_THAT(compare(), IsEmpty());
}

TEST_F(Comparing, ADefaultThatIsTheFastestIsStoredOnce) {
  gpu_.baselines = {baseline("plain", false, 2)};
  gpu_.scripts["toylib/plain0"].us = 20;
  gpu_.scripts["toylib/plain1"].us = 40;
  compare();
  EXPECT_THAT(db::compared_baselines(*store_, winner_), SizeIs(1));
}

TEST_F(Comparing, ACallableThatWaitsForTheGpuIsTimedWithTheHostsClock) {
  gpu_.baselines = {baseline("plain", false, 1), baseline("waits", true, 1)};
  gpu_.scripts["toylib/plain0"].us = 20;
  gpu_.scripts["toylib/waits0"].us = 50;
  compare();
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre("ours", "toylib/plain0"), ElementsAre("ours", "toylib/waits0")));
  const auto found = db::compared_baselines(*store_, winner_);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[1].baseline.mode, gpu::timing_mode(false, gpu::Clock::host));
}

TEST_F(Comparing, WrongKnobsAreNeverChosenAndAWrongDefaultIsReported) {
  gpu_.baselines = {baseline("plain", false, 3)};
  gpu_.scripts["toylib/plain2"].us = 30;
  gpu_.scripts["toylib/plain0"].verdict = Verdict::failed;
  gpu_.scripts["toylib/plain1"].verdict = Verdict::not_launchable;
  EXPECT_THAT(compare(), ElementsAre(HasSubstr("toylib/plain {.k = 0} failed: planted")));
  const auto found = db::compared_baselines(*store_, winner_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].baseline.knobs, "{.k = 2}");
  const auto rows = store_->baselines();
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows, Contains(testing::Field(&db::Baseline::verdict, "failed")));
}

TEST_F(Comparing, WrongAnswersWithOtherKnobsAreReported) {
  gpu_.baselines = {baseline("plain", false, 4)};
  gpu_.scripts["toylib/plain0"].us = 30;
  gpu_.scripts["toylib/plain1"].verdict = Verdict::not_launchable;
  gpu_.scripts["toylib/plain2"].verdict = Verdict::failed;
  gpu_.scripts["toylib/plain3"].verdict = Verdict::failed;
  EXPECT_THAT(compare(), ElementsAre(HasSubstr("toylib/plain {.k = 2} failed: planted"),
                                     HasSubstr("toylib/plain answered wrongly with 1 further choices")));
  EXPECT_THAT(db::compared_baselines(*store_, winner_), SizeIs(1));
  EXPECT_THAT(store_->baselines(), SizeIs(2));
}

TEST_F(Comparing, ATimeBelowTheSpeedOfLightIsMistrusted) {
  gpu_.baselines = {baseline("plain", false, 1)};
  gpu_.scripts["toylib/plain0"].us = 2;
  EXPECT_THAT(compare(), Contains(HasSubstr("mistrusted")));
  EXPECT_THAT(db::compared_baselines(*store_, winner_), IsEmpty());
}

TEST_F(Comparing, ALibraryThatFailsInTheRoundsDropsOutAndTheOthersStartAgain) {
  gpu_.baselines = {baseline("plain", false, 1), baseline("other", false, 1)};
  gpu_.scripts["toylib/plain0"].us = 20;
  gpu_.scripts["toylib/other0"].us = 30;
  gpu_.scripts["toylib/plain0"].in_rounds = Verdict::failed;
  EXPECT_THAT(compare(), ElementsAre(HasSubstr("toylib/plain {.k = 0} failed")));
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(SizeIs(3), ElementsAre("ours", "toylib/other0")));
  EXPECT_THAT(db::compared_baselines(*store_, winner_), SizeIs(1));
}

TEST_F(Comparing, NothingIsMeasuredTwiceForTheSameWinner) {
  gpu_.baselines = {baseline("plain", false, 2)};
  gpu_.scripts["toylib/plain0"].us = 20;
  gpu_.scripts["toylib/plain1"].us = 40;
  compare();
  EXPECT_THAT(gpu_.verified, SizeIs(2));
  compare();
  EXPECT_THAT(gpu_.verified, SizeIs(2));
  gpu_.baselines[0].version = "1.3";
  compare();
  EXPECT_THAT(gpu_.verified, SizeIs(4));
}

TEST_F(Comparing, AMissingLibraryIsReported) {
  gpu_.baselines = {baseline("plain", false, 0)};
  gpu_.baselines[0].missing = "install toylib";
  EXPECT_THAT(compare(), ElementsAre("toylib/plain is left out: install toylib"));
}

TEST_F(Comparing, ACallableWithLawsInsteadOfAnOracleMustSatisfyThem) {
  gpu_.baselines = {baseline("plain", false, 1)};
  gpu_.baselines[0].has_oracle = false;
  gpu_.baselines[0].laws = {"moments"};
  gpu_.scripts["toylib/plain0"].us = 20;
  compare();
  ASSERT_THAT(gpu_.candidates, SizeIs(1));
  EXPECT_THAT(gpu_.candidates[0].bounds, IsEmpty());
  EXPECT_THAT(store_->comparisons(), SizeIs(1));
}

TEST_F(Comparing, ACallableThatBreaksALawIsNotTimed) {
  gpu_.baselines = {baseline("plain", false, 1)};
  gpu_.baselines[0].laws = {"moments"};
  gpu_.breaks_a_law = "law 'moments': the mean is 2";
  gpu_.scripts["toylib/plain0"].us = 20;
  const auto notes = compare();
  EXPECT_THAT(gpu_.rounds_of, IsEmpty());
  EXPECT_THAT(store_->comparisons(), IsEmpty());
  EXPECT_THAT(notes, Not(IsEmpty()));
  EXPECT_EQ(store_->baselines().at(0).detail, gpu_.breaks_a_law);
}

TEST_F(Comparing, ALibraryThatThisBoardCannotRunIsLeftOutBeforeItsLawsAreChecked) {
  gpu_.baselines = {baseline("plain", false, 2), baseline("newer", false, 1)};
  for (worker::BaselineInfo& library : gpu_.baselines) library.laws = {"moments"};
  gpu_.scripts["toylib/plain0"].us = gpu_.scripts["toylib/plain1"].us = 20;
  gpu_.scripts["toylib/newer0"].verdict = Verdict::not_launchable;
  EXPECT_THAT(compare(), ElementsAre("toylib/newer is left out: planted"));
  EXPECT_EQ(gpu_.laws_checked, 2) << "of the two choices of knobs that ran";
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(SizeIs(2)));
}

TEST_F(Comparing, TheTableShowsOursEveryLibraryAndTheCeiling) {
  gpu_.baselines = {baseline("plain", false, 2), baseline("waits", true, 1)};
  gpu_.scripts["toylib/plain0"].us = 40;
  gpu_.scripts["toylib/plain1"].us = 20;
  gpu_.scripts["toylib/waits0"].us = 50;
  compare();
  db::Best best;
  best.winner.problem.bytes_read = 40000;
  best.winner.trial = store_->trial(winner_);
  best.ceiling = db::ceiling_of(best.winner.problem, {.copy_gbs = 4, .read_gbs = 5});
  EXPECT_THAT(db::comparison_lines(best), IsEmpty());
  best.baselines = db::compared_baselines(*store_, winner_);
  const std::string table = db::comparison_lines(best);
  EXPECT_THAT(table, AllOf(HasSubstr("ours"), HasSubstr("toylib/plain default"), HasSubstr("toylib/plain tuned"),
                           HasSubstr("ceiling (read)")));
  EXPECT_THAT(table, AllOf(HasSubstr("2.000 x"), HasSubstr("host synchronisations")));
}

}  // namespace
}  // namespace warpwright::tuner
