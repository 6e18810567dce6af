// One task: the search, then the finalists, then the comparison with libraries.
#pragma once

#include <limits>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tuner/measuring/gpu_thread.hpp"
#include "tuner/measuring/improvements.hpp"
#include "tuner/measuring/sample_check.hpp"
#include "tuner/tasks/outcome.hpp"

namespace warpwright::tuner {

/// The result of tuning one problem on GPUs, and the memory rates of the GPU that ranked the finalists.
struct TaskResult {
  TuneOutcome outcome = {};
  gpu::Rates rates = {};
  std::vector<std::string> notes = {};  ///< on baselines that were left out or found wrong
  std::string searched = {};            ///< kernels whose spaces were not searched completely; empty if there are none
};

/// Gives out the jobs of one task. GPUs of one model share its search; the last one to leave it ranks the finalists and
/// compares the winner with the libraries. Finalists from the database are measured again first. Other stored
/// configurations are measured again only with --remeasure. No function waits; the caller holds the queue's lock.
class TaskTuner {
 public:
  /// `others_wait`: the time that this task does not need goes to tasks after it, so a search that finds nothing better
  /// any more ends early.
  TaskTuner(const TaskContext& context, const TuningTask& task, bool others_wait)
      : setup_(context, task), others_wait_(others_wait) {}

  /// Before the task begins: has its first configurations compiled while the GPU ends another task. Nothing if that is
  /// done, or if the task has begun.
  std::optional<Job> compile_early(GpuThread& thread);
  bool has_begun() const { return begin_.has_value(); }
  void begin(Budget::End end);
  /// Whether it only ranks and compares from now on.
  bool has_ended_search() const { return phase_ != Phase::searching; }

  /// The GPU's next step in this task, which has begun; a GPU that rests gets nothing to measure. Each job must be
  /// followed by `done` or `give_back`.
  NextStep next(GpuThread& thread, bool rests);

  /// Processes the result of a job; returns whether it ended the task. A GPU that selected the problem late may report
  /// after that.
  bool done(const Job& job, Measurement measurement);

  /// Leaves a job that was not done to the other GPUs.
  void give_back(const Job& job);

  const TaskResult& result() const { return result_; }

 private:
  enum class Phase { searching, closing, searched, deciding, done };

  double cost(const MeasuredConfiguration& one) const { return one.cost(context().request.objective); }
  double run_seconds(double us) const;
  Budget::End search_end() const;
  bool has_stalled() const;
  bool may_measure() const;
  bool has_search_work() const;
  bool is_selected(const GpuThread& thread) const { return thread.selected == &setup_ && rates_.contains(&thread); }
  NextStep select(GpuThread& thread);
  NextStep search(GpuThread& thread, bool rests);
  Job compile(GpuThread& thread, std::vector<Choice> choices, worker::Urgency urgency = worker::Urgency::usual);
  void expect_sampled(std::span<const Choice> choices);
  std::pair<std::size_t, std::size_t> ahead(const GpuThread& thread) const;
  NextStep measure(GpuThread& thread, std::list<QueuedConfiguration>::iterator queued);
  NextStep close(GpuThread& thread);
  NextStep decide(GpuThread& thread);
  NextStep compare(GpuThread& thread);
  void end();

  void finish(const Job& job, const ReadKnown&, ReadKnown::Result result);
  void finish(const Job& job, const SelectProblem&, SelectProblem::Result result);
  void finish(const Job& job, const CompilePrograms& compiled, CompilePrograms::Result result);
  void finish(const Job& job, const MeasureConfiguration& evaluated, MeasureConfiguration::Result result);
  void finish(const Job& job, const RankFinalists&, RankFinalists::Result result);
  void finish(const Job& job, const CompareBaselines&, CompareBaselines::Result result);

  /// Finalists of earlier sessions were simulated when they were new.
  bool is_to_be_simulated(Choice choice) const {
    return search_->is_sampled(choice) && search_->finalist(choice) == nullptr;
  }
  void add(Choice choice, MeasuredConfiguration measured, Verdict verdict);
  void take_sample_results();
  std::vector<MeasuredConfiguration> finalists() const;
  int affordable_rounds(const std::vector<MeasuredConfiguration>& finalists) const;
  double spread() const;
  const TaskContext& context() const { return setup_.context; }
  Progress* progress() const { return setup_.task.progress; }
  const std::string& title() const { return setup_.task.title; }
  Job make_job(GpuThread& thread, auto what) {
    return {.task = this, .thread = &thread, .setup = &setup_, .what = std::move(what)};
  }

  MeasuringSetup setup_;
  const bool others_wait_;
  SampleCheck sample_{setup_.context.simulator, setup_.context.catalogue, setup_.small, setup_.context.stop};
  std::optional<Budget::Clock::time_point> begin_;
  std::map<const GpuThread*, gpu::Rates> rates_;  ///< of this session
  bool has_baselines_ = false;                    ///< the GPU's worker has libraries
  bool is_announced_ = false;                     ///< the size of its space was stored and shown

  Phase phase_ = Phase::searching;
  std::optional<Search> search_;
  std::list<QueuedConfiguration> queue_;
  std::map<const GpuThread*, Budget::Clock::time_point> waiting_;  ///< GPUs that wait for the compiler, and since when
  std::size_t asked_ = 0;
  int busy_ = 0;                        ///< number of jobs of the search in progress
  const GpuThread* decider_ = nullptr;  ///< the GPU that ends the search, ranks and compares

  std::vector<MeasuredConfiguration> measured_;
  double best_us_ = std::numeric_limits<double>::infinity();
  Improvements improvements_;
  std::vector<double> drifts_;  ///< of finalists that were measured again: time divided by the stored one
  std::optional<MeasuredConfiguration> winner_;
  TaskResult result_;
};

}  // namespace warpwright::tuner
