// The shards of a run: disjoint, together the whole, of like size, and judged as the whole would be.
#include "tuner/tasks/shards.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/core/boards.hpp"
#include "tuner/search/covering.hpp"
#include "tuner/tasks/task_search.hpp"

namespace warpwright::tuner {
namespace {

using testing::Each;
using testing::Gt;
using testing::Lt;

const Device kDevice = default_board(75).device;

using Configurations = std::multiset<std::string>;

std::vector<TuneItem> items_of(const TuneRequest& request) {
  auto items = tune_items(catalogue(), request, kDevice);
  std::erase_if(items, [](const TuneItem& item) { return item.kernels.empty(); });
  return items;
}

/// What a search of these items looks at, and with a mark what it judges on edge shapes too.
Configurations looked_at(const std::vector<TuneItem>& items, const TuneRequest& request) {
  Configurations all;
  for (const TuneItem& item : items) {
    Search search(item.kernels, item.problem, kDevice, request);
    for (const Choice one : search.ask(search.size())) {
      const Kernel& kernel = *item.kernels[one.kernel];
      all.insert(problem_text(item.problem) + kernel.full_name() + kernel.space.text(search.params(one)) +
                 (search.is_sampled(one) ? " sampled" : ""));
    }
  }
  return all;
}

RC_GTEST_PROP(PredictedShards, AreDisjointAndTogetherTheWhole, ()) {
  const auto glob =
      *rc::gen::element<std::string>("transpose/tiled", "reduce/warp*", "map/sqrt_loop", "transpose/copy");
  TuneRequest request{.globs = {glob}};
  request.covers = *rc::gen::arbitrary<bool>();
  const auto items = items_of(request);
  const int shards = *rc::gen::inRange(1, 12);
  Configurations together;
  for (int number = 1; number <= shards; ++number) {
    auto part = items;
    TuneRequest own = request;
    keep_shard({.number = number, .of = shards}, Pieces::configurations, kDevice, own, part);
    for (const TuneItem& item : part) RC_ASSERT(!item.kernels.empty());
    together.merge(looked_at(part, own));
  }
  RC_ASSERT(together == looked_at(items, request));
}

TEST(PredictedShards, OfTheWholeCatalogueAreOfLikeSize) {
  constexpr int kShards = 16;
  const TuneRequest request;
  std::vector<double> sizes(kShards, 0.0);
  double all = 0;
  for (const TuneItem& item : tune_items(catalogue(), request, kDevice))
    for (const Kernel* kernel : item.kernels)
      for (const Point& point : points_for(*kernel, item.problem, kDevice)) {
        ++sizes[static_cast<std::size_t>(shard_of(kernel->full_name() + " " + kernel->space.text(point), kShards) - 1)];
        ++all;
      }
  EXPECT_THAT(sizes, Each(Gt(0.9 * all / kShards)));
  EXPECT_THAT(sizes, Each(Lt(1.1 * all / kShards)));
}

TEST(PredictedShards, HaveTheirFirstConfigurationWhereTheDefaultIsElsewhere) {
  const auto items = items_of({.globs = {"transpose/copy"}});
  for (int number = 1; number <= 3; ++number) {
    auto part = items;
    TuneRequest own{.globs = {"transpose/copy"}};
    own.strategy = "smac";
    own.budget_evaluations = 1;
    keep_shard({.number = number, .of = 3}, Pieces::configurations, kDevice, own, part);
    ASSERT_FALSE(part.empty());
    EXPECT_EQ(looked_at(part, own).size(), part.size());
  }
}

TEST(MeasuredShards, AreWholeProblemsAndTogetherAll) {
  const TuneRequest request{.globs = {"transpose", "reduce/warp*", "eigen", "pipeline"}};
  const auto items = items_of(request);
  for (const int shards : {1, 3, 16}) {
    Configurations together, all;
    for (const TuneItem& item : items) all.insert(problem_text(item.problem));
    for (int number = 1; number <= shards; ++number) {
      auto part = items;
      TuneRequest own = request;
      keep_shard({.number = number, .of = shards}, Pieces::problems, kDevice, own, part);
      EXPECT_TRUE(own.slice.is_all());
      for (const TuneItem& item : part) {
        together.insert(problem_text(item.problem));
        const auto whole = std::ranges::find_if(
            items, [&](const TuneItem& one) { return problem_text(one.problem) == problem_text(item.problem); });
        EXPECT_EQ(item.kernels, whole->kernels);
      }
    }
    EXPECT_EQ(together, all) << shards;
  }
}

TEST(MeasuredShards, AreTheSameOnEveryGpu) {
  constexpr int kShards = 4;
  // What these have on the two differs, by kernels that copy asynchronously and by the memory that tiles may take.
  const TuneRequest request{.globs = {"scan", "reduce", "convolution"}, .types = {"all"}};
  std::vector<std::vector<std::multiset<std::string>>> of_boards;
  for (const int capability : {75, 90}) {
    const Device device = default_board(capability).device;
    auto& parts = of_boards.emplace_back();
    for (int number = 1; number <= kShards; ++number) {
      auto part = tune_items(catalogue(), request, device);
      TuneRequest own = request;
      keep_shard({.number = number, .of = kShards}, Pieces::problems, device, own, part);
      auto& texts = parts.emplace_back();
      for (const TuneItem& item : part) texts.insert(problem_text(item.problem));
    }
  }
  EXPECT_EQ(of_boards.front(), of_boards.back());
}

}  // namespace
}  // namespace warpwright::tuner
