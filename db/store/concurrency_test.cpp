// Tests of several processes on one file, and of processes that are killed.
#include <gmock/gmock.h>
#include <signal.h>

#include <atomic>

#include "db/maintenance/check.hpp"
#include "db/query/query.hpp"
#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

// Starts f() in a child process.
pid_t start(const auto& f) {
  const pid_t child = fork();
  if (child != 0) return child;
  try {
    f();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
    _exit(1);
  }
  _exit(0);
}

int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(Processes, WritingToANewFileAtTheSameTimeAllSucceed) {
  TemporaryFolder folder;
  constexpr int writers = 4, each = 100;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    children.push_back(start([&] {
      Store store(folder / "a.db");
      ExampleTrials example{.store = store, .session = store.begin_session({.command = "tune"})};
      for (int i = 0; i < each; ++i) store.add_trial(example.measured(writer * each + i, 1), std::vector{1.0, 2.0});
      store.end_session(example.session, "complete");
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  const Store store(folder / "a.db", Mode::read_only);
  EXPECT_THAT(trials(store, {}), SizeIs(writers * each));
  EXPECT_THAT(store.sessions(), SizeIs(writers));
  EXPECT_THAT(check(store), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder / "a.db-wal"));
}

TEST(Processes, OpeningAndClosingRepeatedlyDoNotDisturbOthers) {
  TemporaryFolder folder;
  constexpr int writers = 3, each = 25;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    children.push_back(start([&] {
      for (int i = 0; i < each; ++i) {
        Store store(folder / "a.db");
        ExampleTrials example{.store = store, .session = store.begin_session({.command = "tune"})};
        store.add_trial(example.measured(writer * each + i, 1));
      }
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  const Store store(folder / "a.db", Mode::read_only);
  EXPECT_THAT(trials(store, {}), SizeIs(writers * each));
  EXPECT_THAT(check(store), IsEmpty());
}

// The child reports committed trials through a pipe, and is killed while it writes a later one.
TEST(Processes, AKilledWriterLosesNoCommittedTrialAndDamagesNothing) {
  for (const int committed : {1, 2, 5, 11, 24}) {
    TemporaryFolder folder;
    int channel[2];
    ASSERT_EQ(pipe(channel), 0);
    const pid_t child = start([&] {
      Store store(folder / "a.db");
      ExampleTrials example{store};
      for (int i = 0;; ++i) {
        store.add_trial(example.measured(i, 1), std::vector<double>(500, 1.0));
        if (write(channel[1], &i, sizeof i) != sizeof i) return;
      }
    });
    close(channel[1]);
    int last = -1;
    for (int i = 0; i < committed; ++i)
      ASSERT_EQ(read(channel[0], &last, sizeof last), static_cast<ssize_t>(sizeof last)) << "the writer never wrote";
    kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(status_of(child)));
    while (read(channel[0], &last, sizeof last) == sizeof last) {
    }
    close(channel[0]);

    EXPECT_THAT(check(Store(folder / "a.db", Mode::read_only)), IsEmpty()) << "read before anyone repaired it";
    Store store(folder / "a.db");
    for (int i = 0; i <= last; ++i) {
      ASSERT_TRUE(store.find_trial("key-" + std::to_string(i))) << i << " of " << last;
    }
    EXPECT_THAT(check(store), IsEmpty());
    EXPECT_EQ(store.session(1).ended_how, std::nullopt);
  }
}

TEST(Processes, AWriterKilledInATransactionLeavesNothingOfIt) {
  TemporaryFolder folder;
  int channel[2];
  ASSERT_EQ(pipe(channel), 0);
  const pid_t child = start([&] {
    Store store(folder / "a.db");
    ExampleTrials example{store};
    store.transaction([&] {
      for (int i = 0; i < 3000; ++i) store.add_trial(example.predicted(i, 1));
      const char ready = 1;
      if (write(channel[1], &ready, 1) == 1) pause();
    });
  });
  char ready = 0;
  ASSERT_EQ(read(channel[0], &ready, 1), 1);
  kill(child, SIGKILL);
  status_of(child);
  close(channel[0]);
  close(channel[1]);
  Store store(folder / "a.db");
  EXPECT_THAT(trials(store, {}), IsEmpty());
  EXPECT_THAT(store.sessions(), SizeIs(1));
  EXPECT_THAT(check(store), IsEmpty());
}

TEST(Processes, ABackupWhileAnotherProcessWritesIsCompleteAndASingleFile) {
  TemporaryFolder folder;
  int channel[2];
  ASSERT_EQ(pipe(channel), 0);
  const pid_t child = start([&] {
    Store store(folder / "a.db");
    ExampleTrials example{store};
    for (int i = 0;; ++i) {
      store.add_trial(example.measured(i, 1), std::vector<double>(500, 1.0));
      if (write(channel[1], &i, sizeof i) != sizeof i) return;
    }
  });
  close(channel[1]);
  int last = 0;
  std::size_t before = 0;
  for (const std::string name : {"b1.db", "b2.db", "b3.db"}) {
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(read(channel[0], &last, sizeof last), static_cast<ssize_t>(sizeof last)) << "the writer stopped";
    }
    backup(Store(folder / "a.db", Mode::read_only), folder / name);
    EXPECT_FALSE(std::filesystem::exists(folder / (name + "-wal")));
    const Store copy(folder / name, Mode::read_only);
    EXPECT_THAT(check(copy), IsEmpty());
    const std::size_t there = trials(copy, {}).size();
    EXPECT_GT(there, static_cast<std::size_t>(last)) << "what was committed before the backup is in it";
    EXPECT_GE(there, before);
    before = there;
  }
  kill(child, SIGKILL);
  status_of(child);
  close(channel[0]);
}

}  // namespace
}  // namespace warpwright::db
