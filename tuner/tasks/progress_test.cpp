// Tests of the progress line and of the time that is left, with clocks that the tests move.
#include "tuner/tasks/progress.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace warpwright::tuner {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Whether the estimate is right within a factor of two.
testing::AssertionResult is_about(const std::optional<double>& said, double right) {
  if (!said) return testing::AssertionFailure() << "nothing was said; right is " << right;
  if (*said <= 2 * right && *said >= right / 2) return testing::AssertionSuccess();
  return testing::AssertionFailure() << *said << " was said; right is " << right;
}

TEST(TimeLeft, IsThatOfTheBudgetIfThereIsOne) {
  TimeLeft left(140);
  EXPECT_TRUE(is_about(left.seconds(0), 140));
  left.done(0, 0, 100000);
  left.done(70, 500, 100000);
  EXPECT_TRUE(is_about(left.seconds(70), 70)) << "the whole space would take hours";
  EXPECT_EQ(left.seconds(150), 0.0);
}

TEST(TimeLeft, OfABudgetThatIsMoreThanEnoughIsThatOfTheWork) {
  TimeLeft left(1000);
  for (int i = 0; i <= 20; ++i) left.done(i, static_cast<std::size_t>(10 * i), 400);
  EXPECT_TRUE(is_about(left.seconds(20), 20));
}

TEST(TimeLeft, IsNotThatOfABudgetThatIsNotNeededAnyMore) {
  TimeLeft left(1000);
  for (int i = 0; i <= 20; ++i) left.done(i, static_cast<std::size_t>(20 * i), 400);
  EXPECT_FALSE(left.seconds(21)) << "the finalists are compared, and nobody knows for how long";
}

TEST(TimeLeft, FollowsALoadThatHalvesTheRate) {
  TimeLeft left;
  for (int now = 0; now <= 150; ++now) {
    left.done(now, static_cast<std::size_t>(now < 50 ? 20 * now : 1000 + 10 * (now - 50)), 2000);
    if (now >= 50 && now < 149) {
      EXPECT_TRUE(is_about(left.seconds(now), 150 - now)) << now;
    }
  }
}

TEST(TimeLeft, IsNotSaidBeforeItIsKnown) {
  TimeLeft left;
  EXPECT_FALSE(left.seconds(0));
  left.done(0, 0, 1000);
  left.done(1, 100, 1000);
  EXPECT_FALSE(left.seconds(1)) << "too early";
  TimeLeft slow;
  slow.done(0, 0, 1000);
  slow.done(60, 2, 1000);
  EXPECT_FALSE(slow.seconds(60)) << "two of a thousand tell nothing";
  TimeLeft nothing;
  nothing.done(0, 0, 1000);
  EXPECT_FALSE(nothing.seconds(100)) << "nothing was done";
}

TEST(TimeLeft, IsAlwaysRightWithinAFactorOfTwo) {
  TimeLeft left;
  for (int now = 0; now <= 100; ++now) {
    left.done(now, static_cast<std::size_t>(20 * now), 2000);
    if (now >= 4 && now < 99) {
      EXPECT_TRUE(is_about(left.seconds(now), 100 - now)) << now;
    }
  }
}

TEST(TimeLeft, IsNotMisledByResultsOfEarlierRuns) {
  // A thousand within the first second, then ten a second.
  TimeLeft left;
  left.done(0, 0, 2000);
  left.done(1, 1000, 2000);
  for (int now = 2; now <= 90; ++now) {
    left.done(now, 1000U + 10U * static_cast<std::size_t>(now - 1), 2000);
    if (now >= 4) {
      EXPECT_TRUE(is_about(left.seconds(now), 101 - now)) << now;
    }
  }
}

TEST(TimeLeft, IsNotMisledByTheWaitForTheFirstPrograms) {
  TimeLeft left;
  for (int now = 30; now <= 120; ++now) {
    left.done(now, 10U * static_cast<std::size_t>(now - 29), 1000);
    if (now >= 34) {
      EXPECT_TRUE(is_about(left.seconds(now), 129 - now)) << now;
    }
  }
}

TEST(TimeLeft, IsNotMisledByTheFirstCompilation) {
  TimeLeft left;
  for (int now = 0; now <= 12; ++now) left.done(now, 0, 168);
  EXPECT_FALSE(left.seconds(12));
  for (int now = 13; now < 24; ++now) {
    left.done(now, 14U * static_cast<std::size_t>(now - 12), 168);
    if (now >= 16) {
      EXPECT_TRUE(is_about(left.seconds(now), 24 - now)) << now;
    }
  }
}

class ProgressLine : public testing::Test {
 protected:
  Progress::Ways ways(std::size_t width, bool terminal) {
    return {.screen = {.width = width, .terminal = terminal},
            .clock = [this] { return now_; },
            .show = [this](const std::string& line) { lines_.push_back(line); }};
  }
  double now_ = 100;
  std::vector<std::string> lines_;
};

TEST_F(ProgressLine, ShowsProblemsDoneTheBestSoFarAndTheTimeLeft) {
  Progress progress(140, ways(100, false));
  progress.expect("reduce 2^26 float", 500);
  progress.expect("sort 2^24 uint", 700);
  progress.begin("reduce 2^26 float", 500);
  progress.finish("reduce 2^26 float");
  progress.begin("sort 2^24 uint", 600);
  now_ += 20;
  progress.evaluated("sort 2^24 uint", 400);
  now_ += 20;
  progress.evaluated("sort 2^24 uint", 381.4);
  now_ += 1;
  progress.evaluated("sort 2^24 uint", 500);
  ASSERT_THAT(lines_, SizeIs(2)) << "not more than one every few seconds";
  EXPECT_EQ(lines_[0], "1 of 2 problems done; sort 2^24 uint: 1 of 600 configurations, best 400 us; 2 min left");
  EXPECT_EQ(lines_[1], "1 of 2 problems done; sort 2^24 uint: 2 of 600 configurations, best 381 us; 2 min left");
}

TEST_F(ProgressLine, IsShortForOneProblemAndOmitsUnknownValues) {
  Progress progress(std::nullopt, ways(100, false));
  progress.expect("reduce 2^26 float", 500);
  now_ += 6;
  progress.begin("reduce 2^26 float", 500);
  now_ += 6;
  progress.evaluated("reduce 2^26 float");
  ASSERT_THAT(lines_, SizeIs(2));
  EXPECT_EQ(lines_[0], "reduce 2^26 float: compiling the first of 500 configurations, 6 s");
  EXPECT_EQ(lines_[1], "reduce 2^26 float: 1 of 500 configurations");
}

TEST_F(ProgressLine, CountsTheProblemsThatAreStillToCome) {
  Progress progress(std::nullopt, ways(100, true));
  progress.expect("a", 100);
  progress.expect("b", 900);
  progress.begin("a", 100);
  for (int i = 0; i < 50; ++i) {
    now_ += 1;
    progress.evaluated("a", 10);
  }
  EXPECT_THAT(lines_.back(), HasSubstr("16 min left")) << "950 configurations, one a second";
}

TEST_F(ProgressLine, DropsWordsBeforeItCutsTheName) {
  Progress progress(140, ways(100, true));
  for (const char* name : {"transpose 512x512 float", "transpose 512x512 float, copy"}) progress.expect(name, 168);
  for (int i = 0; i < 10; ++i) {
    now_ += 1;
    progress.evaluated("transpose 512x512 float", 2010);
  }
  EXPECT_EQ(lines_.back(),
            "0 of 2 problems done; transpose 512x512 float: 10 of 168 configurations, best 2.01 ms; 2 min left");
  for (int i = 0; i < 10; ++i) {
    now_ += 1;
    progress.evaluated("transpose 512x512 float, copy", 2010);
  }
  EXPECT_EQ(lines_.back(), "0/2 done; transpose 512x512 float, copy: 10/168, best 2.01 ms; 2 min left");
}

TEST_F(ProgressLine, FitsWhateverItSays) {
  const std::string name = "image_histogram 16384x16384 unsigned short, bins=4096, tile_x=128, tile_y=128, zipf";
  for (const std::size_t width : {40U, 60U, 80U, 100U, 200U}) {
    lines_.clear();
    Progress progress(140, ways(width, true));
    progress.expect(name, 2300);
    progress.expect("another", 5);
    for (int i = 0; i < 10; ++i) {
      now_ += 1;
      progress.evaluated(name, 914.2);
      progress.now(name, "comparing with cub/device_histogram");
    }
    ASSERT_THAT(lines_, Not(IsEmpty()));
    for (const std::string& line : lines_) EXPECT_LT(line.size(), width) << line;
    if (width >= 80) {
      EXPECT_THAT(lines_, Each(AllOf(HasSubstr("best 914 us"), HasSubstr("left"))));
    }
  }
}

TEST_F(ProgressLine, ComesWithinASecondAndGoesOnWhileNothingHappens) {
  Progress progress(std::nullopt, ways(100, true));
  progress.expect("sort 2^24 uint", 225);
  progress.tick();
  EXPECT_THAT(lines_, IsEmpty()) << "a short run says nothing";
  now_ += 0.8;
  progress.tick();
  now_ += 3.2;
  progress.tick();
  EXPECT_THAT(lines_, testing::ElementsAre("sort 2^24 uint: compiling the first of 225 configurations, 1 s",
                                           "sort 2^24 uint: compiling the first of 225 configurations, 4 s"));
  progress.now("sort 2^24 uint", "comparing with cub/device_radix_sort");
  now_ += 1;
  progress.tick();
  EXPECT_THAT(lines_.back(), HasSubstr("comparing with cub")) << "what goes on is repeated";
}

TEST_F(ProgressLine, OfATerminalIsRemovedAtTheEnd) {
  {
    Progress progress(std::nullopt, ways(80, true));
    now_ += 1;
    progress.begin("a", 5);
  }
  ASSERT_THAT(lines_, SizeIs(2));
  EXPECT_THAT(lines_.back(), IsEmpty());
}

}  // namespace
}  // namespace warpwright::tuner
