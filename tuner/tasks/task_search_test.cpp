// Tests of the order of a search: defaults first, then turns in proportion to a kernel's prospects.
#include "tuner/tasks/task_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/boards.hpp"
#include "tuner/search/covering.hpp"

namespace warpwright::tuner {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;

const Device kDevice = default_board(75).device;

struct Asked {
  std::vector<const Kernel*> kernels = catalogue().matching("reduce/*");
  Problem problem = make_problem(catalogue().pattern("reduce"), {ElementType::f32}, {}, {1 << 20});
  TuningRequest request;

  Search search() const { return {kernels, problem, kDevice, request}; }
  PointSet points(std::size_t kernel) const { return point_set(*kernels[kernel], problem, kDevice); }
  /// The default point of the first kernel.
  std::size_t default_point() const { return points(0).space.default_point; }
  std::size_t other_point() const { return default_point() == 0 ? 1 : 0; }
  KnownBest finalist(std::size_t point) const {
    return {.kernel = kernels[0], .params = points(0).points[point], .us = 100, .is_finalist = true};
  }
};

TEST(Search, EveryKernelsDefaultComesFirstWhateverTheStrategy) {
  for (const std::string strategy : {"exhaustive", "random", "local", "gaussian_process"}) {
    Asked asked;
    asked.request.strategy = strategy;
    Search search = asked.search();
    const auto first = search.ask(asked.kernels.size());
    ASSERT_EQ(first.size(), asked.kernels.size());
    std::set<std::size_t> kernels;
    for (const Choice one : first) {
      kernels.insert(one.kernel);
      EXPECT_EQ(search.params(one), asked.kernels[one.kernel]->default_point) << strategy;
    }
    EXPECT_EQ(kernels.size(), first.size());
  }
}

TEST(Search, AClearlySlowerKernelWaitsUntilAllDefaultsAreKnown) {
  Asked asked;
  asked.request.strategy = "gaussian_process";
  asked.kernels.resize(3);
  Search search = asked.search();
  const auto defaults = search.ask_defaults();
  ASSERT_EQ(defaults.size(), 3U);
  search.tell(defaults[0], 100);
  search.tell(defaults[1], 201);
  for (const Choice one : search.ask(10)) EXPECT_EQ(one.kernel, defaults[0].kernel);
  search.tell(defaults[2], 100);
  const auto more = search.ask(100);
  EXPECT_GT(std::ranges::count(more, defaults[1].kernel, &Choice::kernel), 0);
}

TEST(Search, TheDefaultsCanBeAskedForAloneAndAreNotAskedForAgain) {
  Asked asked;
  asked.request.strategy = "random";
  Search search = asked.search();
  const auto defaults = search.ask_defaults();
  ASSERT_EQ(defaults.size(), asked.kernels.size());
  for (std::size_t k = 0; k < defaults.size(); ++k)
    EXPECT_EQ(search.params(defaults[k]), asked.kernels[defaults[k].kernel]->default_point);
  EXPECT_THAT(search.ask_defaults(), IsEmpty());
  const auto rest = search.ask(search.size());
  EXPECT_EQ(rest.size() + defaults.size(), search.size());
  for (const Choice one : rest) EXPECT_EQ(std::ranges::count(defaults, one), 0);
}

TEST(Search, AsksForEveryPointOnce) {
  Asked asked;
  asked.request.strategy = "random";
  Search search = asked.search();
  std::set<Choice> seen;
  std::set<std::size_t> orders;
  for (auto some = search.ask(7); !some.empty(); some = search.ask(7)) {
    for (const Choice one : some) {
      EXPECT_TRUE(seen.insert(one).second);
      orders.insert(search.order(one));
    }
    // Costs are told late and in reverse order.
    std::ranges::reverse(some);
    for (const Choice one : some) search.tell(one, 100);
  }
  EXPECT_EQ(seen.size(), search.size());
  EXPECT_EQ(orders.size(), search.size());
  EXPECT_EQ(search.searched(), "");
}

TEST(Search, KnownConfigurationsFromElsewhereComeOnceAfterTheDefault) {
  Asked asked;
  asked.request.strategy = "random";
  asked.kernels.resize(2);
  const Kernel& kernel = *asked.kernels[1];
  const PointSet set = asked.points(1);
  const std::size_t other = set.space.default_point == 0 ? 1 : 0;
  Point outside = set.points[other];
  outside[0] = -1;
  const std::vector<KnownBest> known{{.kernel = &kernel, .params = set.points[other]},
                                     {.kernel = &kernel, .params = kernel.default_point},
                                     {.kernel = &kernel, .params = outside}};
  Search search(asked.kernels, asked.problem, kDevice, asked.request, known);
  std::vector<std::size_t> points;
  for (const Choice one : search.ask(search.size()))
    if (one.kernel == 1) points.push_back(one.point);
  ASSERT_EQ(points.size(), set.points.size());
  EXPECT_EQ(points[0], set.space.default_point);
  EXPECT_EQ(points[1], other);
  EXPECT_EQ(std::set<std::size_t>(points.begin(), points.end()).size(), points.size());
}

TEST(Search, AFinalistIsAskedForOnceAlsoIfTheDefaultsWereAskedForBefore) {
  for (const std::string strategy : {"exhaustive", "random", "local", "gaussian_process"})
    for (const bool default_too : {false, true}) {
      Asked asked;
      asked.kernels.resize(1);
      asked.request.strategy = strategy;
      const KnownBest other = asked.finalist(asked.other_point()), by_default = asked.finalist(asked.default_point());
      const std::vector<KnownBest> known = default_too ? std::vector{other, by_default} : std::vector{other};
      for (const int budget : {0, 1}) {
        asked.request.budget_evaluations = budget;
        Search search(asked.kernels, asked.problem, kDevice, asked.request, known);
        std::vector<std::size_t> points;
        for (auto some = search.ask_defaults(); !some.empty(); some = search.ask(search.size()))
          for (const Choice one : some) {
            points.push_back(one.point);
            search.tell(one, 100 + static_cast<double>(one.point));
          }
        ASSERT_GE(points.size(), 2U);
        EXPECT_EQ(points[0], asked.default_point());
        EXPECT_EQ(points[1], asked.other_point());
        EXPECT_EQ(std::set<std::size_t>(points.begin(), points.end()).size(), points.size()) << strategy;
        if (budget == 0)
          EXPECT_EQ(points.size(), asked.points(0).points.size());
        else
          EXPECT_EQ(points.size(), 2U);
      }
    }
}

TEST(Search, AKernelThatCannotBeRankedIsAskedForItsDefaultAndFinalistsOnly) {
  Asked asked;
  asked.kernels.resize(1);
  const KnownBest other = asked.finalist(asked.other_point()), by_default = asked.finalist(asked.default_point());
  for (const std::vector<KnownBest>& known : {std::vector<KnownBest>{}, {other}, {other, by_default}}) {
    std::set wanted{asked.default_point()};
    if (!known.empty()) wanted.insert(asked.other_point());
    for (const bool defaults_first : {false, true}) {
      Search search(asked.kernels, asked.problem, kDevice, asked.request, known);
      search.only_default(*asked.kernels[0]);
      EXPECT_EQ(search.size(), wanted.size());
      std::set<std::size_t> points;
      if (defaults_first)
        for (const Choice one : search.ask_defaults()) points.insert(one.point);
      for (const Choice one : search.ask(100)) EXPECT_TRUE(points.insert(one.point).second);
      EXPECT_EQ(points, wanted);
    }
  }
}

TEST(Search, KernelsWithoutATimeAreOrderedByKnownResultsThenByEstimatedTime) {
  Asked asked;
  const Kernel once = *asked.kernels[0];
  Kernel twice = once, known = once;
  for (Kernel* kernel : {&twice, &known})
    kernel->plan = [plan = once.plan](const Point& params, const Problem& problem, const Device& device) {
      Plan longer = plan(params, problem, device);
      const std::vector<Step> steps = longer.steps;
      longer.steps.insert(longer.steps.end(), steps.begin(), steps.end());
      return longer;
    };
  asked.kernels = {&twice, &once, &known};
  const std::vector<KnownBest> seed{{.kernel = &known, .params = asked.points(2).points[asked.other_point()]}};
  Search search(asked.kernels, asked.problem, kDevice, asked.request, seed);
  std::vector<std::size_t> order;
  for (const Choice one : search.ask(3)) order.push_back(one.kernel);
  EXPECT_THAT(order, ElementsAre(2, 1, 0));
}

TEST(Search, KnowsWhetherEveryKernelWasMeasuredAlsoIfOneIsWrong) {
  Asked asked;
  asked.kernels.resize(2);
  Search search = asked.search();
  const std::vector<Choice> first = search.ask(2);
  EXPECT_EQ(first.at(0).kernel + first.at(1).kernel, 1U) << "both";
  search.tell(first[0], 200);
  EXPECT_FALSE(search.knows_every_kernel());
  search.tell(first[1], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(search.knows_every_kernel()) << "that it is wrong is known";
}

TEST(Search, NoKernelFillsTheQueueBeforeEveryDefaultIsTold) {
  Asked asked;
  asked.request.strategy = "gaussian_process";
  asked.kernels.resize(3);
  Search search = asked.search();
  const auto defaults = search.ask(100);
  ASSERT_EQ(defaults.size(), 3U);
  search.tell(defaults[2], 50000);
  EXPECT_LE(search.ask(100).size(), 2U) << "the first to answer may be the slowest";
  search.tell(defaults[0], 100);
  search.tell(defaults[1], 9000);
  std::vector<int> turns(3);
  for (const Choice one : search.ask(100)) ++turns[one.kernel];
  EXPECT_GE(turns[defaults[0].kernel], 90);
}

TEST(Search, TurnsAreMeasuredInTimeNotInEvaluations) {
  Asked asked;
  asked.request.strategy = "random";
  asked.kernels.resize(2);
  Search search = asked.search();
  std::vector<double> spent(2);
  const std::vector<double> cost{20000, 36000};
  for (int k = 0; k < 90; ++k)
    for (const Choice one : search.ask(1)) {
      spent[one.kernel] += cost[one.kernel];
      search.tell(one, cost[one.kernel]);
    }
  const double share = std::pow(cost[0] / cost[1], 3);
  EXPECT_NEAR(spent[1] / spent[0], share, 0.06);
}

TEST(Search, GivesMoreTurnsToKernelsCloseToTheBest) {
  Asked asked;
  asked.request.strategy = "random";
  asked.kernels.resize(3);
  Search search = asked.search();
  std::vector<int> turns(3);
  const std::vector<double> cost{100, 105, 400};
  for (int k = 0; k < 120; ++k)
    for (const Choice one : search.ask(1)) {
      ++turns[one.kernel];
      search.tell(one, cost[one.kernel]);
    }
  EXPECT_GT(turns[0], 50);
  EXPECT_GT(turns[1], 40);
  EXPECT_GE(turns[2], 1);
  EXPECT_LE(turns[2], 4);
  EXPECT_THAT(search.searched(), HasSubstr(asked.kernels[0]->name + " " + std::to_string(turns[0]) + " of "));
}

TEST(Search, AKernelThatIsAlwaysWrongOrTooSlowGetsFewTurns) {
  Asked asked;
  asked.request.strategy = "random";
  asked.kernels.resize(2);
  Search search = asked.search();
  std::vector<int> turns(2);
  for (int k = 0; k < 40; ++k)
    for (const Choice one : search.ask(1)) {
      ++turns[one.kernel];
      search.tell(one, one.kernel == 0 ? std::numeric_limits<double>::infinity() : 100);
    }
  EXPECT_THAT(turns, ElementsAre(AllOf(Ge(1), Le(4)), Ge(36)));
}

TEST(Search, KeepsABudgetOfEvaluationsPerKernel) {
  Asked asked;
  asked.request.budget_evaluations = 3;
  asked.request.strategy = "random";
  Search search = asked.search();
  EXPECT_EQ(search.size(), 3 * asked.kernels.size());
  EXPECT_EQ(search.ask(1000).size(), search.size());
  EXPECT_THAT(search.ask(1000), IsEmpty());
}

}  // namespace
}  // namespace warpwright::tuner
