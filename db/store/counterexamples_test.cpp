// Tests of counterexamples: seen, fixed, respelt, obsolete.
#include <gmock/gmock.h>

#include "db/maintenance/check.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class CounterexampleTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};

  void saw(const char* repro, const char* when = "", const char* detail = "wrong") {
    store_.saw_counterexample(
        {.pattern = "reduce", .kernel = "grid_stride", .repro = repro, .detail = detail, .last_seen = when});
  }
};

TEST_F(CounterexampleTest, ACounterexampleIsReplayedUntilItIsFixedAndAgainWhenItReturns) {
  const Counterexample failing{
      .pattern = "reduce", .kernel = "grid_stride", .repro = "reduce/grid_stride ...", .detail = "wrong"};
  store_.saw_counterexample(failing);
  store_.saw_counterexample(failing);
  ASSERT_THAT(store_.counterexamples(), SizeIs(1));
  EXPECT_EQ(store_.counterexamples()[0].times_seen, 2);
  EXPECT_THAT(store_.counterexamples("reduce/*"), SizeIs(1));
  EXPECT_THAT(store_.counterexamples("scan/*"), IsEmpty());
  store_.fixed_counterexample(failing.repro);
  EXPECT_THAT(store_.counterexamples(), IsEmpty());
  EXPECT_THAT(store_.counterexamples("*", true), SizeIs(1));
  store_.saw_counterexample(failing);
  ASSERT_THAT(store_.counterexamples(), SizeIs(1));
  EXPECT_EQ(store_.counterexamples()[0].times_seen, 3);
}

TEST_F(CounterexampleTest, TheNewestPathOfAJobFileIsKept) {
  const auto see = [&](const std::string& file) {
    store_.saw_counterexample({.pattern = "job:a", .kernel = "k", .repro = "kernel=job:a/k", .file = file});
    return store_.counterexamples().at(0).file;
  };
  EXPECT_EQ(see("a.json"), "a.json");
  EXPECT_EQ(see("../jobs/b.json"), "../jobs/b.json");
  EXPECT_EQ(see(""), "../jobs/b.json") << "a program that is older does not say it";
}

TEST_F(CounterexampleTest, ALineThatCannotBeReplayedIsLeftOutAndKeptWithItsReason) {
  saw("one");
  saw("two");
  store_.obsolete_counterexample("one", "the kernel is gone");
  ASSERT_THAT(store_.counterexamples(), SizeIs(1));
  EXPECT_EQ(store_.counterexamples()[0].repro, "two");
  ASSERT_THAT(store_.counterexamples("*", true), SizeIs(2));
  EXPECT_EQ(store_.counterexamples("*", true)[0].obsolete, "the kernel is gone");
  saw("one");
  EXPECT_THAT(store_.counterexamples(), SizeIs(2)) << "it was replayed after all";
}

TEST_F(CounterexampleTest, ARespeltLineKeepsItsHistory) {
  saw("old", "2026-01-01T00:00:00.000Z");
  saw("old", "2026-01-03T00:00:00.000Z");
  store_.rewrite_counterexample("old", "new");
  store_.rewrite_counterexample("new", "new");
  store_.rewrite_counterexample("none", "other");
  ASSERT_THAT(store_.counterexamples("*", true), SizeIs(1));
  const Counterexample row = store_.counterexamples()[0];
  EXPECT_EQ(row.repro, "new");
  EXPECT_EQ(row.times_seen, 2);
  EXPECT_EQ(row.first_seen, "2026-01-01T00:00:00.000Z");
  EXPECT_THAT(check(store_), IsEmpty());
}

TEST_F(CounterexampleTest, ALineRespeltAsAKnownOneIsUnitedWithIt) {
  saw("old", "2026-01-01T00:00:00.000Z", "early");
  saw("new", "2026-01-03T00:00:00.000Z", "late");
  store_.fixed_counterexample("new");
  store_.rewrite_counterexample("old", "new");
  const std::vector<Counterexample> rows = store_.counterexamples("*", true);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].first_seen, "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(rows[0].last_seen, "2026-01-03T00:00:00.000Z");
  EXPECT_EQ(rows[0].detail, "late");
  EXPECT_TRUE(rows[0].fixed_at) << "nobody saw it since";
  EXPECT_THAT(check(store_), IsEmpty());
}

}  // namespace
}  // namespace warpwright::db
