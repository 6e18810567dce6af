// Tests of the shards of a run: they are disjoint, complete, of similar size, and checked like the whole run.
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

std::vector<TuningTask> tasks_of(const TuningRequest& request) {
  auto tasks = tuning_tasks(catalogue(), request, kDevice);
  std::erase_if(tasks, [](const TuningTask& task) { return task.kernels.empty(); });
  return tasks;
}

/// The configurations that a search of these tasks evaluates; those simulated on edge shapes too have a mark.
Configurations searched_by(const std::vector<TuningTask>& tasks, const TuningRequest& request) {
  Configurations all;
  for (const TuningTask& task : tasks) {
    Search search(task.kernels, task.problem, kDevice, request);
    for (const Choice one : search.ask(search.size())) {
      const Kernel& kernel = *task.kernels[one.kernel];
      all.insert(problem_text(task.problem) + kernel.full_name() + kernel.space.text(search.params(one)) +
                 (search.is_sampled(one) ? " sampled" : ""));
    }
  }
  return all;
}

RC_GTEST_PROP(PredictedShards, AreDisjointAndTogetherTheWhole, ()) {
  const auto glob =
      *rc::gen::element<std::string>("transpose/tiled", "reduce/warp*", "map/sqrt_loop", "transpose/copy");
  const TuningRequest request{.globs = {glob}};
  const auto tasks = tasks_of(request);
  const int shards = *rc::gen::inRange(1, 12);
  Configurations together;
  for (int number = 1; number <= shards; ++number) {
    auto part = tasks;
    TuningRequest own = request;
    keep_shard({.number = number, .of = shards}, Pieces::configurations, kDevice, own, part);
    for (const TuningTask& task : part) RC_ASSERT(!task.kernels.empty());
    together.merge(searched_by(part, own));
  }
  RC_ASSERT(together == searched_by(tasks, request));
}

TEST(PredictedShards, OfTheWholeCatalogueAreOfSimilarSize) {
  constexpr int kShards = 16;
  const TuningRequest request;
  std::vector<double> sizes(kShards, 0.0);
  double all = 0;
  for (const TuningTask& task : tuning_tasks(catalogue(), request, kDevice))
    for (const Kernel* kernel : task.kernels)
      for (const Point& point : points_for(*kernel, task.problem, kDevice)) {
        ++sizes[static_cast<std::size_t>(shard_of(kernel->full_name() + " " + kernel->space.text(point), kShards) - 1)];
        ++all;
      }
  EXPECT_THAT(sizes, Each(Gt(0.9 * all / kShards)));
  EXPECT_THAT(sizes, Each(Lt(1.1 * all / kShards)));
}

TEST(PredictedShards, BeginWithTheirFirstConfigurationIfTheDefaultIsInAnother) {
  const auto tasks = tasks_of({.globs = {"transpose/copy"}});
  for (int number = 1; number <= 3; ++number) {
    auto part = tasks;
    TuningRequest own{.globs = {"transpose/copy"}};
    own.strategy = "gaussian_process";
    own.budget_evaluations = 1;
    keep_shard({.number = number, .of = 3}, Pieces::configurations, kDevice, own, part);
    ASSERT_FALSE(part.empty());
    EXPECT_EQ(searched_by(part, own).size(), part.size());
  }
}

TEST(MeasuredShards, AreWholeProblemsAndTogetherAll) {
  const TuningRequest request{.globs = {"transpose", "reduce/warp*", "eigen", "pipeline"}};
  const auto tasks = tasks_of(request);
  for (const int shards : {1, 3, 16}) {
    Configurations together, all;
    for (const TuningTask& task : tasks) all.insert(problem_text(task.problem));
    for (int number = 1; number <= shards; ++number) {
      auto part = tasks;
      TuningRequest own = request;
      keep_shard({.number = number, .of = shards}, Pieces::problems, kDevice, own, part);
      EXPECT_TRUE(own.slice.is_all());
      for (const TuningTask& task : part) {
        together.insert(problem_text(task.problem));
        const auto whole = std::ranges::find_if(
            tasks, [&](const TuningTask& one) { return problem_text(one.problem) == problem_text(task.problem); });
        EXPECT_EQ(task.kernels, whole->kernels);
      }
    }
    EXPECT_EQ(together, all) << shards;
  }
}

TEST(MeasuredShards, AreTheSameOnEveryGpu) {
  constexpr int kShards = 4;
  // The spaces of these patterns differ between the two boards: by kernels with asynchronous copies, and by the memory
  // that tiles may have.
  const TuningRequest request{.globs = {"scan", "reduce", "convolution"}, .types = {"all"}};
  std::vector<std::vector<std::multiset<std::string>>> of_boards;
  for (const int capability : {75, 90}) {
    const Device device = default_board(capability).device;
    auto& parts = of_boards.emplace_back();
    for (int number = 1; number <= kShards; ++number) {
      auto part = tuning_tasks(catalogue(), request, device);
      TuningRequest own = request;
      keep_shard({.number = number, .of = kShards}, Pieces::problems, device, own, part);
      auto& texts = parts.emplace_back();
      for (const TuningTask& task : part) texts.insert(problem_text(task.problem));
    }
  }
  EXPECT_EQ(of_boards.front(), of_boards.back());
}

}  // namespace
}  // namespace warpwright::tuner
