// Tests of several GPUs on one problem, with scripted results: which GPU measures what, and what happens when one is
// lost.
#include "tuner/measuring/task_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>

#include "kernels/system/environment_fault.hpp"
#include "kernels/system/waiting.hpp"
#include "tuner/measuring/measuring_fixture.hpp"
#include "tuner/measuring/worker_gpu.hpp"

namespace warpwright::tuner {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A fake GPU, with its thread's state.
struct Fake {
  Fake(std::string called, Device device) : name(std::move(called)), gpu(device) {}
  explicit Fake(std::string called) : name(std::move(called)) {}

  std::string name;  ///< its UUID too
  FakeGpu gpu;
  std::optional<Recorder> recorder = {};
  std::optional<GpuWatch> watch = {};
  std::optional<TrialWriter> writer = {};
  std::optional<GpuThread> thread = {};
};

class SharedGpus : public Measuring {
 protected:
  using Fakes = std::deque<Fake>;

  void SetUp() override {
    Measuring::SetUp();
    add("one");
    add("two");
  }

  Fake& add(const std::string& name) {
    Fake& fake = fakes_.emplace_back(name);
    fake.gpu.usual.us = 300;
    return fake;
  }

  /// Makes all GPUs begin each of their first trials at the same time.
  void keep_pace(int trials) {
    pace_.assign(fakes_.size(), 0);
    for (std::size_t i = 0; i < fakes_.size(); ++i)
      fakes_[i].gpu.on_work = [this, i, trials] {
        std::unique_lock lock(pace_mutex_);
        const int mine = ++pace_[i];
        pace_changed_.notify_all();
        const auto together = [&] { return std::ranges::all_of(pace_, [&](int theirs) { return theirs >= mine; }); };
        // The minute only ends a test that hangs.
        if (mine <= trials && !pace_changed_.wait_for(lock, 1min, together)) kept_pace_ = false;
      };
  }

  void script_all(int k, const Script& script) {
    for (Fake& fake : fakes_) fake.gpu.scripts[params(k)] = script;
  }

  /// Starts all of them on the tasks, each on its own thread; lost ones are recorded in `lost_`.
  std::unique_ptr<TaskQueue> begin(Fakes& fakes, std::vector<std::jthread>& threads) {
    auto queue = std::make_unique<TaskQueue>(TaskQueue::Options{.catalogue = toys_,
                                                                .tasks = tasks_,
                                                                .request = request_,
                                                                .end = [this](std::size_t) { return end_; },
                                                                .done = [this](const TaskResult&) { ++done_; },
                                                                .stop = stop_,
                                                                .failed = failed_,
                                                                .uuids = {"one", "two"},
                                                                .rest = rest_});
    for (Fake& fake : fakes) {
      const std::scoped_lock lock(store_mutex_);
      fake.recorder.emplace(store_, toys_, fake.gpu.device(), "device", db::Environment{.gpu_uuid = fake.name},
                            db::Session{.command = "test"});
      fake.writer.emplace(store_mutex_, *fake.recorder);
      fake.watch.emplace([] { return gpu::Sensors{}; }, [](const std::string&) {});
      fake.thread.emplace(fake.gpu, *fake.writer, *fake.watch);
    }
    for (Fake& fake : fakes)
      threads.emplace_back([this, &fake, queue = queue.get()] {
        try {
          queue->work(*fake.thread);
        } catch (const GpuLost&) {
          const std::scoped_lock lock(store_mutex_);
          lost_.push_back(fake.name);
        } catch (const std::exception& fault) {
          const std::scoped_lock lock(store_mutex_);
          faults_.push_back(fault.what());
        }
      });
    return queue;
  }

  std::unique_ptr<TaskQueue> run(Fakes& fakes) {
    std::vector<std::jthread> threads;
    auto queue = begin(fakes, threads);
    threads.clear();
    return queue;
  }

  TaskResult measure_together() { return *run(fakes_)->result(0); }

  /// Params of the verified configurations, on all of them.
  std::multiset<std::string> verified() const {
    std::multiset<std::string> all;
    for (const Fake& fake : fakes_) all.insert(fake.gpu.verified.begin(), fake.gpu.verified.end());
    return all;
  }

  static std::multiset<std::string> each_once() {
    std::multiset<std::string> all;
    for (int k = 1; k <= 12; ++k) all.insert(params(k));
    return all;
  }

  /// UUIDs of the GPUs on which trials were made; `ranked`: only those of finalists.
  std::set<std::string> gpus_of_trials(bool ranked) const {
    std::map<db::Id, std::string> uuids;
    for (const db::Environment& environment : store_.environments()) uuids[environment.id] = environment.gpu_uuid;
    std::set<std::string> found;
    for (const db::TrialView& view : db::trials(store_, {}))
      if (!ranked || view.trial.rank) found.insert(uuids.at(view.trial.environment_id.value()));
    return found;
  }

  std::vector<TuningTask> tasks_{task_};
  Fakes fakes_;
  std::vector<std::string> lost_, faults_;
  std::atomic<int> done_ = 0;
  std::chrono::steady_clock::duration rest_ = 10s;
  std::mutex pace_mutex_;
  std::condition_variable pace_changed_;
  std::vector<int> pace_;  ///< number of trials that each has begun
  bool kept_pace_ = true;
};

TEST_F(SharedGpus, EachPointIsMeasuredOnceAndOneGpuRanksTheFinalists) {
  keep_pace(1);
  for (const int k : {5, 8}) script_all(k, {.us = 200});
  const TaskResult done = measure_together();
  EXPECT_EQ(done.outcome.configurations, 12);
  EXPECT_EQ(verified(), each_once());
  for (const Fake& fake : fakes_) EXPECT_THAT(fake.gpu.verified, Not(IsEmpty())) << fake.name;
  EXPECT_THAT(ranking(), ElementsAre(params(5), params(8)));
  EXPECT_THAT(newest(5).certificates, SizeIs(1));
  EXPECT_EQ(done_, 1);
  EXPECT_EQ(db::trials(store_, {}).size(), 14) << "and the rounds of two finalists";
}

TEST_F(SharedGpus, TheRowSaysWhichGpuAndTheFinalistsAreOfOne) {
  keep_pace(1);
  for (const int k : {5, 8, 9}) script_all(k, {.us = 200});
  measure_together();
  EXPECT_THAT(gpus_of_trials(false), ElementsAre("one", "two"));
  EXPECT_THAT(gpus_of_trials(true), SizeIs(1));
  EXPECT_EQ(fakes_[0].gpu.rounds_of.size() + fakes_[1].gpu.rounds_of.size(), 1);
  EXPECT_EQ(fakes_[0].gpu.tested.size() + fakes_[1].gpu.tested.size(), 1);
}

TEST_F(SharedGpus, TwoMeasureAtTheSameTimeUntilHardlyAnyConfigurationIsLeft) {
  keep_pace(5);
  EXPECT_EQ(measure_together().outcome.configurations, 12);
  EXPECT_TRUE(kept_pace_) << "one waits for the other, or gets no work";
  EXPECT_THAT(pace_, Each(testing::Ge(5)));
}

TEST_F(SharedGpus, AStrategyGetsTheTimesOfBothAndKeepsItsBudget) {
  request_.strategy = "local";
  request_.budget_evaluations = 9;
  for (int k = 1; k <= 12; ++k) script_all(k, {.us = 200 + 20.0 * std::abs(k - 4)});
  EXPECT_EQ(measure_together().outcome.configurations, 9);
  // Which 9 depends on whose times come first.
  EXPECT_THAT(ranking().front(), testing::AnyOf(params(3), params(4), params(5)));
  const auto all = verified();
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 9);
}

TEST_F(SharedGpus, TheWorkOfALostGpuIsDoneByTheOthers) {
  keep_pace(3);
  script_all(5, {.us = 200});
  fakes_[1].gpu.trials_left = 2;
  const TaskResult done = measure_together();
  EXPECT_THAT(lost_, ElementsAre("two"));
  EXPECT_EQ(done.outcome.configurations, 12);
  EXPECT_THAT(ranking(), ElementsAre(params(5)));
  std::multiset<std::string> stored;
  for (const db::TrialView& view : db::trials(store_, {}))
    if (!view.trial.rank) stored.insert(view.params);
  EXPECT_EQ(stored, each_once());
  EXPECT_EQ(gpus_of_trials(true), std::set<std::string>{"one"});
}

TEST_F(SharedGpus, IfTheGpuThatRanksFinalistsIsLostAnotherRanksThem) {
  script_all(5, {.us = 200});
  // The first GPU to begin rounds is lost.
  std::atomic<int> rounds = 0;
  for (Fake& fake : fakes_)
    fake.gpu.on_rounds = [&] {
      if (++rounds == 1) throw FakeGpu::lost();
    };
  const TaskResult done = measure_together();
  EXPECT_EQ(done.outcome.configurations, 12);
  ASSERT_THAT(lost_, SizeIs(1));
  EXPECT_EQ(rounds, 2);
  EXPECT_THAT(ranking(), ElementsAre(params(5)));
  EXPECT_EQ(gpus_of_trials(true), std::set<std::string>{lost_[0] == "one" ? "two" : "one"});
  EXPECT_EQ(done_, 1);
}

TEST_F(SharedGpus, IfAllAreLostNothingIsRankedAndTheNextRunContinues) {
  script_all(5, {.us = 200});
  for (Fake& fake : fakes_) fake.gpu.trials_left = 3;
  EXPECT_FALSE(run(fakes_)->is_done());
  EXPECT_THAT(lost_, SizeIs(2));
  EXPECT_THAT(ranking(), IsEmpty());
  EXPECT_EQ(done_, 0);
  const std::size_t before = db::trials(store_, {}).size();
  for (Fake& fake : fakes_) fake.gpu.trials_left = 1000;
  const TaskResult again = measure_together();
  EXPECT_EQ(again.outcome.resumed, before - 1) << "the fastest that was stored is measured again";
  EXPECT_EQ(again.outcome.configurations, 12 - before + 1);
  EXPECT_EQ(ranking().front(), params(5));
}

TEST_F(SharedGpus, TrialsThatEitherGpuMeasuredEarlierAreReused) {
  script_all(5, {.us = 200});
  measure_together();
  for (Fake& fake : fakes_) fake.gpu.verified.clear();
  const TaskResult again = measure_together();
  EXPECT_EQ(again.outcome.resumed, 11);
  EXPECT_THAT(verified(), ElementsAre(params(5))) << "the stored finalists only";
  EXPECT_THAT(ranking(), ElementsAre(params(5)));
}

TEST_F(SharedGpus, AThrottledGpuRestsAndGivesItsWorkBack) {
  keep_pace(1);
  fakes_[1].gpu.usual.throttled = 1'000'000;
  const TaskResult done = measure_together();
  EXPECT_EQ(done.outcome.configurations, 12);
  EXPECT_THAT(fakes_[0].gpu.verified, SizeIs(12));
  EXPECT_THAT(fakes_[1].gpu.verified, SizeIs(1)) << "it rests from then on";
  for (const db::TrialView& view : db::trials(store_, {}))
    EXPECT_THAT(view.trial.warnings, Not(testing::HasSubstr("reduced clock"))) << view.params;
}

TEST_F(SharedGpus, IfAllAreThrottledTheyMeasureAndSaySo) {
  for (Fake& fake : fakes_) fake.gpu.usual.throttled = 1'000'000;
  EXPECT_EQ(measure_together().outcome.configurations, 12);
  const auto is_flagged = [](const db::TrialView& view) {
    return view.params == params(3) && view.trial.warnings.find("reduced clock") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(db::trials(store_, {}), is_flagged));
}

TEST_F(SharedGpus, ASlowerGpuHasItsFinalistsToo) {
  keep_pace(3);
  script_all(5, {.us = 200});
  fakes_[0].gpu.copy_gbs = 4000;
  fakes_[1].gpu.copy_gbs = 3850;
  script_all(8, {.us = 208});  // 4 %: 3 are not enough on one board
  measure_together();
  EXPECT_THAT(ranking(), ElementsAre(params(5), params(8)));
}

TEST_F(SharedGpus, GpusOfDifferentModelsAreTunedSeparatelyAtTheSameTime) {
  Device other = fakes_[0].gpu.device();
  other.model = "Another model";
  Fakes apart;
  apart.emplace_back("three", other).gpu.usual.us = 300;
  apart[0].gpu.scripts[params(9)] = {.us = 200};
  script_all(5, {.us = 200});
  std::vector<std::jthread> threads;
  const auto first = begin(fakes_, threads);
  const auto second = begin(apart, threads);
  threads.clear();
  EXPECT_THAT(faults_, IsEmpty());
  EXPECT_EQ(verified(), each_once());
  EXPECT_THAT(apart[0].gpu.verified, SizeIs(12));
  std::map<std::string, std::string> winners;
  for (const db::TrialView& view : db::trials(store_, {}))
    if (view.trial.rank == 1) winners[view.board->model] = view.params;
  EXPECT_THAT(winners, ElementsAre(testing::Pair("Another model", params(9)), testing::Pair(testing::_, params(5))));
}

TEST_F(SharedGpus, AGpuThatIsReadyOnlyAfterTheTaskEndsWithTheOthers) {
  std::atomic<bool> has_come = false, came_in_time = false, was_late = false;
  fakes_[0].gpu.on_select = [&](const std::string&) { came_in_time = eventually([&] { return has_come.load(); }); };
  fakes_[1].gpu.on_select = [&](const std::string&) {
    has_come = true;
    was_late = eventually([&] { return done_ == 1; });
  };
  EXPECT_TRUE(run(fakes_)->is_done());
  EXPECT_TRUE(came_in_time) << "the task may end before the second GPU begins it";
  EXPECT_TRUE(was_late);
  EXPECT_EQ(done_, 1) << "each task is counted once";
}

TEST_F(SharedGpus, AFaultOfTheEnvironmentEndsAllGpus) {
  fakes_[0].gpu.compiler_is_missing = fakes_[1].gpu.compiler_is_missing = true;
  EXPECT_FALSE(run(fakes_)->is_done());
  EXPECT_THAT(lost_, IsEmpty());
  EXPECT_THAT(faults_, AllOf(Not(IsEmpty()), Each(std::string("no compiler"))));
}

TEST_F(SharedGpus, WhileOneRanksFinalistsTheOtherMeasuresTheNextProblem) {
  tasks_.push_back(task_);
  tasks_[1].problem.data = "zipf";
  script_all(5, {.us = 200});
  std::atomic<int> at_second = 0;
  bool in_time = false;
  for (Fake& fake : fakes_) {
    fake.gpu.on_select = [&](const std::string& problem) {
      if (problem.find("zipf") != std::string::npos) ++at_second;
    };
    fake.gpu.on_rounds = [&] { in_time = eventually([&] { return at_second > 0; }); };
  }
  EXPECT_TRUE(run(fakes_)->is_done());
  EXPECT_TRUE(in_time);
  EXPECT_EQ(done_, 2);
}

TEST(SharedBus, GpusTransferOneAtATime) {
  std::mutex bus;
  std::atomic<int> crossing = 0, most = 0;
  const auto cross = [&](bool crosses, int times, const std::function<void()>& there) {
    most = 0;
    std::vector<std::jthread> threads;
    for (int k = 0; k < 2; ++k)
      threads.emplace_back([&] {
        GpuAccess access(bus);
        access.set_crosses_bus(crosses);
        for (int i = 0; i < times; ++i)
          access.call([&] {
            const int now = ++crossing;
            for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
            }
            there();
            --crossing;
          });
      });
    threads.clear();
    return most.load();
  };
  // Each yields to the other two thousand times while it uses the bus.
  EXPECT_EQ(cross(true, 200,
                  [] {
                    for (int i = 0; i < 10; ++i) std::this_thread::yield();
                  }),
            1);
  // Without the lock, both use the bus at the same time.
  EXPECT_EQ(cross(false, 1, [&] { EXPECT_TRUE(eventually([&] { return most == 2; })); }), 2);
}

TEST_F(SharedGpus, ATaskThatWasOnlyCompiledForHasNoResult) {
  fakes_.pop_back();
  tasks_.push_back(task_);
  tasks_.back().problem.data = "zipf";
  FakeGpu& gpu = fakes_.front().gpu;
  gpu.on_rounds = [this] { stop_ = true; };
  const auto queue = run(fakes_);
  EXPECT_THAT(gpu.compiled_early, Not(IsEmpty()));
  EXPECT_NE(queue->result(0), nullptr);
  EXPECT_EQ(queue->result(1), nullptr);
}

}  // namespace
}  // namespace warpwright::tuner
