// Tests of merging shards: in any order and any number of times they give what one process would store; damaged ones
// are left out.
#include "db/maintenance/merge_shards.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "db/query/predicted_ranking.hpp"
#include "db/query/query.hpp"
#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kMoment = "2026-01-02T00:00:00.00";  // followed by a digit and Z

std::string moment(int digit) {
  return kMoment + std::to_string(digit) + "Z";
}

// Stores these configurations with these predicted times, and their ranking, as predicting does.
void predict(Store& store, const std::vector<std::pair<int, int>>& times, int when) {
  store.connection().execute("PRAGMA synchronous = OFF");
  ExampleTrials example{store};
  store.transaction([&] {
    std::vector<Trial> trials;
    for (const auto& [tile, us] : times) {
      const Id id = store.add_trial(example.predicted(tile, us));
      trials.push_back(store.trial(id));
    }
    std::ranges::sort(trials, {}, [&](const Trial& trial) {
      return std::pair(*trial.predicted_us, find(store, std::to_string(trial.id))->params);
    });
    if (!trials.empty())
      store.set_ranking(example.problem, example.board, "predicted", ranked_predictions(store, trials), moment(when));
  });
}

// The ranking without what is local to a file (row ids).
std::vector<std::string> ranking(const Store& store) {
  std::vector<std::string> places;
  if (store.problems().empty()) return places;
  for (const Trial& trial : store.ranking(store.problems().front().id, store.boards().front().id, "predicted"))
    places.push_back(trial.identity + " " + std::to_string(*trial.rank) + (trial.tied ? " tied" : ""));
  return places;
}

std::multiset<std::string> trials_of(const Store& store) {
  std::multiset<std::string> all;
  for (const TrialView& view : trials(store, {})) all.insert(view.trial.identity + view.trial.verdict);
  return all;
}

RC_GTEST_PROP(Shards, MergedInAnyOrderAndNumberOfTimesAreWhatOneProcessStores, ()) {
  TemporaryFolder folder(memory_folder());
  const auto drawn = *rc::gen::container<std::vector<int>>(rc::gen::inRange(100, 140));
  const int count = *rc::gen::inRange(1, 6);
  std::vector<std::pair<int, int>> all;
  std::vector<std::vector<std::pair<int, int>>> shared(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    all.emplace_back(static_cast<int>(i), drawn[i]);
    shared[*rc::gen::inRange<std::size_t>(0, shared.size())].push_back(all.back());
  }
  std::vector<fs::path> parts;
  for (int i = 0; i < count; ++i) {
    parts.push_back(folder / ("part" + std::to_string(i)));
    Store store = new_store(parts.back());
    predict(store, shared[static_cast<std::size_t>(i)], i);
  }
  Store one = new_store(folder / "one");
  predict(one, all, 9);

  Store merged = new_store(folder / "merged");
  merged.connection().execute("PRAGMA synchronous = OFF");
  const auto rounds = *rc::gen::inRange(1, 3);
  for (int round = 0; round < rounds; ++round) {
    auto order = parts;
    std::ranges::rotate(order, order.begin() + *rc::gen::inRange(0, count));
    order.push_back(order.front());
    RC_ASSERT(merge_shards(merged, order).empty());
    RC_ASSERT(trials_of(merged) == trials_of(one));
    RC_ASSERT(ranking(merged) == ranking(one));
  }
  RC_ASSERT(check(merged).empty());
}

class MergedShards : public testing::Test {
 protected:
  // Three shards with 20 configurations each; the first one of shard 2 is the best of all.
  MergedShards() {
    for (int part = 0; part < 3; ++part) {
      parts_.push_back(folder_ / ("part" + std::to_string(part)));
      Store store(parts_.back());
      std::vector<std::pair<int, int>> times;
      for (int i = 0; i < 20; ++i) times.emplace_back(100 * part + i, 1000 - 100 * part + 10 * i);
      predict(store, times, part);
    }
  }

  const TemporaryFolder folder_;
  std::vector<fs::path> parts_;
};

TEST_F(MergedShards, FinalistsOfAShardThatIsMissingInALaterMergeStay) {
  Store merged(folder_ / "merged");
  ASSERT_THAT(merge_shards(merged, parts_), IsEmpty());
  const auto whole = ranking(merged);
  for (const std::size_t missing : {0U, 1U, 2U}) {
    std::vector<fs::path> others = parts_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(missing));
    ASSERT_THAT(merge_shards(merged, others), IsEmpty());
    EXPECT_EQ(ranking(merged), whole) << missing;
  }
}

TEST_F(MergedShards, AMissingAndADamagedShardAreNamedAndTheRestIsMerged) {
  {
    Store store(parts_[1]);
    store.connection().execute("UPDATE trial SET predicted_us = 1");
  }
  fs::remove(parts_[0]);
  std::vector<std::string> reported;
  Store merged(folder_ / "merged");
  const auto left_out =
      merge_shards(merged, parts_, [&](const fs::path& part, const Merged&) { reported.push_back(part.string()); });
  ASSERT_THAT(left_out, SizeIs(2));
  EXPECT_THAT(left_out[0].reason, HasSubstr(parts_[0].string() + ": there is no such file"));
  EXPECT_THAT(left_out[1].reason, HasSubstr(parts_[1].string() + ": this file is damaged and was not merged"));
  EXPECT_THAT(reported, testing::ElementsAre(parts_[2].string()));
  EXPECT_THAT(trials(merged, {}), SizeIs(20));
  EXPECT_THAT(ranking(merged), testing::Not(IsEmpty()));
}

TEST_F(MergedShards, AFullDiskLeavesTheStoreUnchangedAndBlamesNoShard) {
  Store merged(folder_ / "merged");
  ASSERT_THAT(merge_shards(merged, std::span(parts_).first(1)), IsEmpty());
  const auto before = trials_of(merged);
  const auto places = ranking(merged);
  std::string limit = "PRAGMA max_page_count = ";
  {
    Statement pages(merged.connection(), "PRAGMA page_count");
    ASSERT_TRUE(pages.step());
    limit += pages.get<std::string>(0);
  }
  merged.connection().execute(limit);
  EXPECT_THAT(error_of([&] { merge_shards(merged, parts_); }), HasSubstr("the disk is full"));
  EXPECT_EQ(trials_of(merged), before);
  EXPECT_EQ(ranking(merged), places);
  merged.connection().execute("PRAGMA max_page_count = 1000000");
  EXPECT_THAT(merge_shards(merged, parts_), IsEmpty());
  EXPECT_THAT(trials(merged, {}), SizeIs(60));
  EXPECT_THAT(check(merged), IsEmpty());
}

TEST_F(MergedShards, ANewerRankingOfTheStoreStays) {
  Store merged(folder_ / "merged");
  predict(merged, {{7777, 5000}}, 9);
  const auto newer = ranking(merged);
  EXPECT_THAT(merge_shards(merged, parts_), IsEmpty());
  EXPECT_EQ(ranking(merged), newer);
  Store older(folder_ / "older");
  EXPECT_THAT(merge_shards(older, std::span(parts_).first(2)), IsEmpty());
  EXPECT_THAT(merge_shards(older, parts_), IsEmpty());
  const std::string best = ranking(older).front();
  EXPECT_THAT(find(older, best.substr(0, best.find(' ')))->params, HasSubstr("= 200}")) << "the late part's best";
}

// Merges `shards` databases, each with `trials_each` trials as predicting stores them.
void merge_a_fleet(int shards, int trials_each) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  };
  const TemporaryFolder folder;
  Store merged(folder / "merged");
  double making = 0, merging = 0, last = 0;
  std::uintmax_t part_bytes = 0;
  for (int shard = 0; shard < shards; ++shard) {
    const fs::path part = folder / "part";
    const auto begin = Clock::now();
    {
      Store store = new_store(part);
      store.connection().execute("PRAGMA synchronous = OFF");
      ExampleTrials example{store};
      store.transaction([&] {
        std::vector<Trial> best;
        for (int i = 0; i < trials_each; ++i) {
          Trial trial = example.predicted(shard * trials_each + i, 100 + i % 1000);
          trial.plan_id = store.upsert(
              PlanText{.text = "plan " + std::to_string(trial.configuration_id), .compile_log = std::string(300, 'x')});
          const Id id = store.add_trial(trial, {}, {}, std::vector{Launch{.entry = "tiled"}});
          store.put_access({.configuration_id = trial.configuration_id, .problem_id = example.problem});
          if (best.size() < 8) best.push_back(store.trial(id));
        }
        store.set_ranking(example.problem, example.board, "predicted", ranked_predictions(store, best));
      });
    }
    part_bytes = fs::file_size(part);
    making += seconds(begin);
    const auto merge_begin = Clock::now();
    ASSERT_THAT(merge_shards(merged, std::vector{part}), IsEmpty());
    last = seconds(merge_begin);
    merging += last;
    fs::remove(part);
    if (shards > 20 && shard % (shards / 10) == 0)
      std::printf("  %d parts: %.0f s, the last one %.2f s\n", shard + 1, merging, last);
    std::fflush(stdout);
  }
  std::printf(
      "%d parts of %d trials: made in %.1f s, merged in %.1f s (the last one in %.2f s); %.1f MB a part, %.1f MB\n",
      shards, trials_each, making, merging, last, static_cast<double>(part_bytes) / 1e6,
      static_cast<double>(fs::file_size(merged.path())) / 1e6);
  Statement rows(merged.connection(), "SELECT count(*) FROM trial");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.get<std::int64_t>(0), std::int64_t{shards} * trials_each);
}

TEST(ShardsOfAFleet, AreMerged) {
  merge_a_fleet(20, 500);
}

TEST(ShardsOfAFleet, DISABLED_OfAThousandShardsAreMerged) {
  const auto number = [](const char* variable, int usual) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? usual : std::atoi(text);
  };
  merge_a_fleet(number("WARPWRIGHT_SIMULATED_SHARDS", 1000), number("WARPWRIGHT_SIMULATED_TRIALS", 20'000));
}

}  // namespace
}  // namespace warpwright::db
