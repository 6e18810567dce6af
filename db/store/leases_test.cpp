// Tests of leases: every evaluation has one owner at a time, and none is lost with its owner.
#include "db/store/leases.hpp"

#include <gmock/gmock.h>

#include "db/maintenance/check.hpp"
#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t all = 100;

class LeasesTest : public testing::Test {
 protected:
  using Keys = std::vector<std::string>;

  Id session() { return store_.begin_session({.command = "tune"}); }

  TemporaryFolder folder_{memory_folder()};
  Store store_{folder_ / "a.db"};
  Store same_{folder_ / "a.db"};  // the same file, as if opened by another process
  std::int64_t now_ = Leases::system_clock();
  const Leases::Clock clock_ = [this] { return now_; };
  Leases ours_{store_, session(), Leases::usual_lease, clock_};
  std::optional<Leases> other_{std::in_place, same_, session(), Leases::usual_lease, clock_};
};

TEST_F(LeasesTest, FreeKeysAreTakenInOrderUpToTheRequestedNumber) {
  EXPECT_THAT(ours_.take(Keys{"a", "b", "c"}, 2), ElementsAre(Lease::ours, Lease::ours, Lease::free));
  EXPECT_THAT(other_->take(Keys{"a", "b", "c", "d"}, 1),
              ElementsAre(Lease::held, Lease::held, Lease::ours, Lease::free));
  EXPECT_THAT(ours_.take(Keys{"a", "c"}, 0), ElementsAre(Lease::ours, Lease::held));
}

TEST_F(LeasesTest, CountsActiveSessionsWithAndWithoutLeases) {
  ours_.take(Keys{}, 0);
  EXPECT_EQ(ours_.runs(), 2);
  EXPECT_THAT(leases_held(store_), IsEmpty());
  other_.reset();
  ours_.take(Keys{"a"}, 1);
  EXPECT_EQ(ours_.runs(), 1);
  const Leases brief(same_, session(), 300ms, clock_);
  EXPECT_EQ(brief.runs(), 2);
  now_ += 300;
  ours_.take(Keys{}, 0);
  EXPECT_EQ(ours_.runs(), 1) << "its lease is over";
}

TEST_F(LeasesTest, DoneAndItsTrialAreSeenTogetherAndItIsTakenOnlyOnRequest) {
  ASSERT_THAT(ours_.take(Keys{"a", "b"}, all), Each(Lease::ours));
  EXPECT_TRUE(ours_.finish("a"));
  EXPECT_ANY_THROW(store_.transaction([&] {
    ours_.finish("b");
    throw std::runtime_error("not stored after all");
  }));
  EXPECT_THAT(other_->take(Keys{"a", "b"}, all), ElementsAre(Lease::done, Lease::held));
  EXPECT_TRUE(other_->take_done("a"));
  EXPECT_FALSE(other_->take_done("b")) << "it is not done";
  EXPECT_THAT(ours_.take(Keys{"a", "b"}, all), ElementsAre(Lease::held, Lease::ours));
  EXPECT_FALSE(ours_.finish("a")) << "another has it now";
}

TEST_F(LeasesTest, AReleasedKeyIsFreeAtOnce) {
  ours_.take(Keys{"a", "b"}, all);
  ours_.finish("b");
  for (const char* key : {"a", "b"}) ours_.give_back(key);
  EXPECT_THAT(other_->take(Keys{"a", "b"}, all), ElementsAre(Lease::ours, Lease::done));
  other_.reset();
  EXPECT_THAT(ours_.take(Keys{"a"}, all), ElementsAre(Lease::ours)) << "all of it at the end";
}

TEST_F(LeasesTest, ALeaseEndsUnlessItIsRenewed) {
  Leases brief(same_, session(), 300ms, clock_);
  Leases renewed(same_, session(), 300ms, clock_);
  brief.take(Keys{"brief"}, all);
  renewed.take(Keys{"renewed"}, all);
  EXPECT_THAT(ours_.take(Keys{"brief", "renewed"}, all), Each(Lease::held));
  for (int i = 0; i < 4; ++i) {
    now_ += 100;
    renewed.renew();
  }
  EXPECT_THAT(ours_.take(Keys{"brief", "renewed"}, all), ElementsAre(Lease::ours, Lease::held));
  EXPECT_FALSE(brief.finish("brief"));
  brief.renew();
  EXPECT_THAT(other_->take(Keys{"brief"}, all), ElementsAre(Lease::held));
}

TEST_F(LeasesTest, AClockThatWasSetBackLeavesNoEndlessLease) {
  other_->take(Keys{"a"}, all);
  same_.connection().execute("UPDATE lease SET expires_at = expires_at + 86400000");
  EXPECT_THAT(ours_.take(Keys{"a"}, all), ElementsAre(Lease::ours));
}

TEST_F(LeasesTest, ASoundFileMayHaveLeasesOfAnyAgeAndMergingCopiesNone) {
  other_->take(Keys{"a", "b", "c"}, all);
  other_->finish("c");
  EXPECT_THAT(leases_held(store_), ElementsAre(testing::Field(&LeasedBy::count, 2)));
  EXPECT_GT(leases_held(store_).front().seconds_left, 20);
  same_.connection().execute("UPDATE lease SET expires_at = 1");
  EXPECT_LT(leases_held(store_).front().seconds_left, 0);
  EXPECT_THAT(check(store_), IsEmpty());
  Store merged(folder_ / "merged.db");
  EXPECT_EQ(merge(merged, store_.path()).sessions, 2);
  EXPECT_THAT(leases_held(merged), IsEmpty());
  ours_.take(Keys{}, all);
  EXPECT_THAT(leases_held(store_), IsEmpty()) << "swept by whoever takes next";
}

TEST_F(LeasesTest, OfSeveralProcessesExactlyOneGetsEach) {
  constexpr int processes = 4, keys = 300;
  int channel[2];
  ASSERT_EQ(pipe(channel), 0);
  std::vector<pid_t> children;
  for (int child = 0; child < processes; ++child) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    try {
      Store store(folder_ / "b.db");
      Leases leases(store, store.begin_session({}));
      Keys open;
      for (int i = 0; i < keys; ++i) open.push_back(std::to_string(i));
      while (!open.empty()) {
        const std::vector<Lease> answers = leases.take(open, 16);
        Keys left;
        for (std::size_t i = 0; i < open.size(); ++i) {
          if (answers[i] == Lease::ours) {
            const int key = std::stoi(open[i]);
            if (write(channel[1], &key, sizeof key) != sizeof key) _exit(1);
          } else if (answers[i] == Lease::free) {
            left.push_back(open[i]);
          }
        }
        open = std::move(left);
      }
      _exit(0);  // like a killed process: releases nothing
    } catch (...) {
      _exit(3);
    }
  }
  close(channel[1]);
  std::vector<int> owners(keys);
  for (int key = 0; read(channel[0], &key, sizeof key) == sizeof key;) ++owners.at(static_cast<std::size_t>(key));
  close(channel[0]);
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_THAT(owners, Each(1));
}

}  // namespace
}  // namespace warpwright::db
