// The comparison with libraries, with a bench that gives made-up times: what is chosen, stored and said.
#include "tuner/tune_baselines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/runtime/temporary_folder.hpp"
#include "tuner/tune_output.hpp"
#include "tuner/tune_prepare.hpp"

namespace warpwright::tuner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr double kOursUs = 10;

worker::CallableOffer offer(const std::string& idiom, bool synchronises, int choices) {
  worker::CallableOffer made{.pattern = "reduce",
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

/// Our winner takes 10 us; a callable takes what `times` says for its name and knob.
class Comparing : public testing::Test {
 protected:
  void SetUp() override {
    store_.emplace(folder_ / "tune.db");
    recorder_.emplace(*store_, catalogue(), Device{.model = "Toy", .sm_count = 2}, "device", db::Environment{},
                      db::Session{.command = "test"});
    const Kernel& kernel = catalogue().kernel("reduce/sequential");
    db::Trial trial = recorder_->trial(prepare(kernel, kernel.default_point, problem_, Device{}), problem_, "measured");
    trial.verdict = "passed";
    trial.mode = gpu::Stopwatch::mode(false);
    trial.median_us = kOursUs;
    winner_ = store_->add_trial(trial);
  }

  std::vector<std::string> compare() {
    const BaselineBench bench{
        .callables = [this](const Problem&) { return offers_; },
        .trial =
            [this](const gpu::Candidate& candidate, bool verify, int samples) {
              EXPECT_TRUE(verify);
              ++trials_;
              const std::string name = name_of(candidate);
              if (!candidate.bounds.empty()) {
                EXPECT_EQ(candidate.bounds.at(0).at(0).relative,
                          1.0 + static_cast<double>(candidate.callable->knobs.at(0)));
              }
              compared_ = !candidate.bounds.empty();
              if (const auto wrong = wrong_.find(name); wrong != wrong_.end())
                return worker::TrialReply{.outcome = {.verdict = wrong->second, .detail = "planted"}, .samples = {}};
              return worker::TrialReply{.outcome = {},
                                        .samples = std::vector<gpu::Sample>(static_cast<std::size_t>(samples),
                                                                            {.microseconds = times_.at(name)})};
            },
        .rounds =
            [this](const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t) {
              worker::RoundsReply reply;
              auto& names = rounds_of_.emplace_back();
              for (const gpu::Candidate& candidate : candidates) {
                names.push_back(name_of(candidate));
                const bool is_wrong = wrong_in_rounds_ == names.back();
                reply.outcomes.push_back({.verdict = is_wrong ? Verdict::failed : Verdict::passed, .detail = ""});
              }
              const bool waits = names.back().starts_with("toylib/waits");
              const auto clock = waits ? gpu::Stopwatch::Clock::host : gpu::Stopwatch::Clock::events;
              for (gpu::Outcome& outcome : reply.outcomes) outcome.mode = gpu::Stopwatch::mode(false, clock);
              for (int r = 0; r < rounds; ++r) {
                auto& row = reply.samples.emplace_back();
                for (const std::string& name : names)
                  row.push_back({.microseconds = (name == "ours" ? kOursUs : times_.at(name)) * (1 + 0.01 * (r % 3))});
              }
              return reply;
            }};
    return compare_with_baselines(
        bench,
        {.problem = problem_,
         .winner = {},
         .winner_trial = winner_,
         .bounds =
             [](double depth, const std::string&) {
               return std::vector<std::vector<Bound>>{{{.relative = depth, .formula = {}}}};
             },
         .broken_law = [this](const worker::CallableOffer&, const worker::KnobsOffer&) { return broken_law_; },
         .floor_us = 4},
        *recorder_, stop_);
  }

  static std::string name_of(const gpu::Candidate& candidate) {
    return candidate.callable ? candidate.callable->name + std::to_string(candidate.callable->knobs.at(0)) : "ours";
  }

  const TemporaryFolder folder_;
  const Problem problem_ = parse_problem("reduce[op=sum,float,1024]");
  std::optional<db::Store> store_;
  std::optional<Recorder> recorder_;
  db::Id winner_ = 0;
  std::atomic<bool> stop_ = false;
  std::vector<worker::CallableOffer> offers_;
  std::map<std::string, double> times_;
  std::map<std::string, Verdict> wrong_;
  std::string wrong_in_rounds_;
  std::string broken_law_;
  bool compared_ = false;  ///< whether the last trial was to be compared with the oracle
  int trials_ = 0;
  std::vector<std::vector<std::string>> rounds_of_;
};

TEST_F(Comparing, TheDefaultAndTheFastestKnobsAreStoredWithTheirRatios) {
  offers_ = {offer("plain", false, 3)};
  times_ = {{"toylib/plain0", 40}, {"toylib/plain1", 20}, {"toylib/plain2", 25}};
  EXPECT_THAT(compare(), IsEmpty());
  EXPECT_THAT(rounds_of_, ElementsAre(ElementsAre("ours", "toylib/plain0", "toylib/plain1")));
  const auto found = db::opponents_of(*store_, winner_);
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
  EXPECT_EQ(found[1].baseline.mode, gpu::Stopwatch::mode(false));
}

TEST_F(Comparing, ADefaultThatIsTheFastestIsStoredOnce) {
  offers_ = {offer("plain", false, 2)};
  times_ = {{"toylib/plain0", 20}, {"toylib/plain1", 40}};
  compare();
  EXPECT_THAT(db::opponents_of(*store_, winner_), SizeIs(1));
}

TEST_F(Comparing, WhatWaitsForTheDeviceIsComparedByTheHostsClockAndSaysSo) {
  offers_ = {offer("plain", false, 1), offer("waits", true, 1)};
  times_ = {{"toylib/plain0", 20}, {"toylib/waits0", 50}};
  compare();
  EXPECT_THAT(rounds_of_, ElementsAre(ElementsAre("ours", "toylib/plain0"), ElementsAre("ours", "toylib/waits0")));
  const auto found = db::opponents_of(*store_, winner_);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[1].baseline.mode, gpu::Stopwatch::mode(false, gpu::Stopwatch::Clock::host));
}

TEST_F(Comparing, WrongKnobsAreNeverChosenAndAWrongDefaultIsSaid) {
  offers_ = {offer("plain", false, 3)};
  times_ = {{"toylib/plain2", 30}};
  wrong_ = {{"toylib/plain0", Verdict::failed}, {"toylib/plain1", Verdict::not_launchable}};
  EXPECT_THAT(compare(), ElementsAre(HasSubstr("toylib/plain {.k = 0} failed: planted")));
  const auto found = db::opponents_of(*store_, winner_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].baseline.knobs, "{.k = 2}");
  const auto rows = store_->baselines();
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows, Contains(testing::Field(&db::Baseline::verdict, "failed")));
}

TEST_F(Comparing, ATimeBelowThePhysicalFloorIsNotBelieved) {
  offers_ = {offer("plain", false, 1)};
  times_ = {{"toylib/plain0", 2}};
  EXPECT_THAT(compare(), Contains(HasSubstr("mistrusted")));
  EXPECT_THAT(db::opponents_of(*store_, winner_), IsEmpty());
}

TEST_F(Comparing, WhoFailsInTheRoundsDropsOutAndTheOthersStartAgain) {
  offers_ = {offer("plain", false, 1), offer("other", false, 1)};
  times_ = {{"toylib/plain0", 20}, {"toylib/other0", 30}};
  wrong_in_rounds_ = "toylib/plain0";
  EXPECT_THAT(compare(), ElementsAre(HasSubstr("toylib/plain {.k = 0} failed")));
  EXPECT_THAT(rounds_of_, ElementsAre(SizeIs(3), ElementsAre("ours", "toylib/other0")));
  EXPECT_THAT(db::opponents_of(*store_, winner_), SizeIs(1));
}

TEST_F(Comparing, NothingIsMeasuredTwiceForTheSameWinner) {
  offers_ = {offer("plain", false, 2)};
  times_ = {{"toylib/plain0", 20}, {"toylib/plain1", 40}};
  compare();
  EXPECT_EQ(trials_, 2);
  compare();
  EXPECT_EQ(trials_, 2);
  offers_[0].version = "1.3";
  compare();
  EXPECT_EQ(trials_, 4);
}

TEST_F(Comparing, WhatIsMissingIsSaid) {
  offers_ = {offer("plain", false, 0)};
  offers_[0].missing = "install toylib";
  EXPECT_THAT(compare(), ElementsAre("toylib/plain is left out: install toylib"));
}

TEST_F(Comparing, WhatHasLawsInPlaceOfAnOracleIsHeldToThem) {
  offers_ = {offer("plain", false, 1)};
  offers_[0].has_oracle = false;
  offers_[0].laws = {"moments"};
  times_ = {{"toylib/plain0", 20}};
  compare();
  EXPECT_FALSE(compared_);
  EXPECT_THAT(store_->comparisons(), SizeIs(1));
}

TEST_F(Comparing, WhatBreaksALawIsNotTimed) {
  offers_ = {offer("plain", false, 1)};
  offers_[0].laws = {"moments"};
  broken_law_ = "law 'moments': the mean is 2";
  const auto notes = compare();
  EXPECT_EQ(trials_, 0);
  EXPECT_THAT(store_->comparisons(), IsEmpty());
  EXPECT_THAT(notes, Not(IsEmpty()));
  EXPECT_EQ(store_->baselines().at(0).detail, broken_law_);
}

TEST_F(Comparing, TheTableShowsOursEveryLibraryAndTheCeiling) {
  offers_ = {offer("plain", false, 2), offer("waits", true, 1)};
  times_ = {{"toylib/plain0", 40}, {"toylib/plain1", 20}, {"toylib/waits0", 50}};
  compare();
  BestLine line{.best = {}, .work = {.bytes_read = 40000}, .ceilings = {.copy_gbs = 4, .read_gbs = 5}};
  line.best.winner.trial = store_->trial(winner_);
  EXPECT_THAT(comparison_table(line), IsEmpty());
  line.best.opponents = db::opponents_of(*store_, winner_);
  const std::string table = comparison_table(line);
  EXPECT_THAT(table, AllOf(HasSubstr("ours"), HasSubstr("toylib/plain default"), HasSubstr("toylib/plain tuned"),
                           HasSubstr("ceiling (read)")));
  EXPECT_THAT(table, AllOf(HasSubstr("2.000 x"), HasSubstr("host synchronisations")));
}

}  // namespace
}  // namespace warpwright::tuner
