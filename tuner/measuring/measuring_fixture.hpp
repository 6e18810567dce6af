// For tests: a pattern with one kernel of twelve configurations, tuned on a GPU with scripted results.
#pragma once

#include <gtest/gtest.h>

#include <numeric>

#include "db/query/query.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "tuner/measuring/fake_gpu.hpp"
#include "tuner/measuring/task_queue.hpp"

namespace warpwright::toy {

struct row_params {
  int k = 1;
  bool operator==(const row_params&) const = default;
};

}  // namespace warpwright::toy

namespace warpwright::tuner {

inline std::vector<Buffer> toy_buffers(const Problem& problem) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements()},
          {.name = "out", .role = Role::out, .type = problem.type(), .count = problem.elements()}};
}

inline Pattern toy_pattern() {
  return {.name = "toy",
          .summary = "moves elements",
          .extents = {"elements"},
          .types = {{ElementType::f32}},
          .data = {{.name = "uniform"}, {.name = "zipf"}},
          .tuning_types = {{ElementType::f32}},
          .tuning_shapes = {{1 << 20}},
          .trace_shape = {1 << 10},
          .buffers = toy_buffers,
          .inputs = [](const Problem&) { return std::vector<InputKind>{{.name = "exact", .exact = true}}; },
          .fills = {},
          .oracle = {},
          .reference = {},
          .bound = [](const Problem&, const std::string&, const InputKind&,
                      double) { return Bound{.comparison = Comparison::bits, .formula = "the same bits"}; },
          .work =
              [](const Problem& problem) {
                const auto bytes = static_cast<double>(problem.elements()) * sizeof(float);
                return Work{.bytes_read = bytes, .bytes_written = bytes, .steps = bytes / sizeof(float)};
              }};
}

/// A configuration for each k from 1 on.
inline Kernel row_kernel(int configurations = 12) {
  using P = toy::row_params;
  std::vector<int> values(static_cast<std::size_t>(configurations));
  std::iota(values.begin(), values.end(), 1);
  Kernel kernel = make_kernel<P>(
      {.pattern = "toy",
       .name = "row",
       .default_params = {},
       .space = SpaceOf<P>{}.axis("k", &P::k, values).renamed("count", "k").removed("gone", "it changed nothing"),
       .plan =
           [](const P&, const PlanRequest& request) {
             Plan plan{.buffers = toy_buffers(request.problem), .steps = {}};
             plan.steps.push_back({.what = Launch{.entry = request.entry("row", {"float"}),
                                                  .grid = {.x = 64},
                                                  .block = {.x = 1024},
                                                  .arguments = {pointer_to("in"), pointer_to("out"),
                                                                value(request.problem.elements())}}});
             return plan;
           },
       .tile = [](const P&) { return std::vector<std::int64_t>{1}; }});
  kernel.source = "toy/row.cuh";
  return kernel;
}

inline std::string params(int k) {
  return "{.k = " + std::to_string(k) + "}";
}

class Measuring : public testing::Test {
 protected:
  /// Every configuration takes 300 us, except those that a test scripts.
  void SetUp() override { gpu_.usual.us = 300; }

  TaskResult measure() { return measure(toys_, {task_}).front(); }

  std::vector<TaskResult> measure(const Catalogue& catalogue, const std::vector<TuningTask>& tasks) {
    Recorder recorder(store_, catalogue, gpu_.device(), "device", db::Environment{}, db::Session{.command = "test"});
    GpuWatch watch([] { return gpu::Sensors{}; }, [](const std::string&) {});
    TrialWriter writer(store_mutex_, recorder);
    GpuThread gpu(gpu_, writer, watch);
    TaskQueue queue({.catalogue = catalogue,
                     .tasks = tasks,
                     .request = request_,
                     .end = [this](std::size_t) { return end_; },
                     .done = [](const TaskResult&) {},
                     .stop = stop_,
                     .failed = failed_});
    queue.work(gpu);
    std::vector<TaskResult> results(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i)
      if (const TaskResult* const found = queue.result(i)) results[i] = *found;
    return results;
  }

  /// The newest trial of a configuration.
  db::TrialView newest(int k) const {
    std::optional<db::TrialView> found;
    for (const db::TrialView& view : db::trials(store_, {}))
      if (view.params == params(k) && (!found || view.trial.id > found->trial.id)) found = view;
    if (!found) throw std::logic_error("no trial of " + params(k));
    return *found;
  }

  /// Params by rank in the latest ranking, the winner first.
  std::vector<std::string> ranking() const {
    std::map<std::pair<std::string, int>, std::string> ranks;
    for (const db::TrialView& view : db::trials(store_, {}))
      if (view.trial.rank) ranks[{view.trial.selection, *view.trial.rank}] = view.params;
    std::vector<std::string> names;
    for (const auto& [rank, name] : ranks)
      if (rank.first == ranks.rbegin()->first.first) names.push_back(name);
    return names;
  }

  Script& script(int k) { return gpu_.scripts.try_emplace(params(k), gpu_.usual).first->second; }

  const Catalogue toys_{{toy_pattern()}, {row_kernel()}, {{"toy/row.cuh", ""}}};
  const TemporaryFolder folder_;
  db::Store store_{folder_ / "tune.db"};
  TuningTask task_{.problem = make_problem(toys_.pattern("toy"), {ElementType::f32}, {}, {1 << 26}),
                   .kernels = {&toys_.kernels().front()}};
  TuningRequest request_;
  FakeGpu gpu_;
  Budget::End end_;
  std::atomic<bool> stop_ = false, failed_ = false;
  std::mutex store_mutex_;
};

}  // namespace warpwright::tuner
