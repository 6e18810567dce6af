// One run of `tune`: its resources and results, and the loop over the problems.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "db/store/store.hpp"
#include "kernels/core/boards.hpp"
#include "kernels/runtime/build/build_service.hpp"
#include "tuner/predicting/predict_tasks.hpp"
#include "tuner/program/output.hpp"
#include "tuner/tasks/budget.hpp"

namespace warpwright::tuner {

struct Options {
  TuningRequest request;
  std::string arch;
  std::string board;
  std::string shard;
  std::string budget;
  std::string db;
  std::string cache;
  std::string devices = "first";
  std::vector<std::string> params;
  std::vector<std::string> jobs;  ///< job files
  std::optional<bool> baselines;
  std::string objective = objective_words.front();
  bool predict = false;
  bool deterministic = false;
  bool whole_board = false;
  bool survey = false;  ///< neither patterns nor a budget were given: a short search of one problem of each
  bool list = false;
  bool dry_run = false;
  bool no_report = false;
  std::string report;
  bool json = false;
  bool csv = false;
  bool verbose = false;
  bool unchecked = false;

  std::filesystem::path database() const { return db.empty() ? db::default_path() : std::filesystem::path(db); }
};

/// The worker with baselines for that architecture; empty if it was not built or is not wanted.
std::filesystem::path baselines_worker(const Options& options, const std::string& arch);

/// Makes the requested tasks for a device.
using TasksFor = std::function<std::vector<TuningTask>(const Device&)>;

struct Run {
  const Options& options;
  const Catalogue& catalogue;
  Budget budget;
  db::Store store;

 private:
  std::deque<TuningContext> contexts_;  ///< one per GPU model in use; tasks in the pool refer to them

 public:
  worker::BuildService build;
  std::vector<TuningTask> tasks;
  std::vector<db::Best> best;             ///< of the problems that have one now
  std::vector<SearchedProblem> searched;  ///< these, and the problems for which there was no time
  std::vector<std::string> left;          ///< what was not evaluated, one line per problem
  std::vector<std::string> not_begun;     ///< titles of the problems for which the budget left no time
  std::vector<std::string> findings;      ///< what is wrong, for the first few problems with a fault
  Totals totals;
  std::map<std::string, TrialSeconds> seconds;  ///< by pattern, what configurations took on GPUs
  Progress progress;

  /// What is predicted ends with the budget, by all means; what is measured ends by itself.
  Run(const Options& given, const Catalogue& known, std::vector<TuningTask> asked, const Budget& time, bool predicts);

  void predict(const Board& board, const std::string& command);
  /// Measures on all GPUs at the same time; `tasks` are for those of the same model as the first one.
  void measure(const std::vector<gpu::GpuInfo>& gpus, const TasksFor& tasks_for, const std::string& command);

  /// Adds to the best configurations the setting for all sizes of this run, if the request asks for it.
  void find_settings_for_all_sizes();

  db::Session session(const std::string& target, const std::string& command) const;
  /// What is known about the environment without a GPU.
  db::Environment environment();

 private:
  /// Notes the finding of a problem.
  void note_finding(const TuningTask& task, const TuneOutcome& outcome, const Device& device);
  void conclude(const TuningTask& task, const TuneOutcome& outcome, const std::string& unsearched,
                const Device& device);
};

}  // namespace warpwright::tuner
