// One problem measured by boards of one model: they share its search, and one of them ranks the finalists.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tuner/measuring/counterexample_finder.hpp"
#include "tuner/measuring/rig.hpp"
#include "tuner/measuring/sample_check.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/outcome.hpp"
#include "tuner/tasks/task_search.hpp"

namespace warpwright::tuner {

/// What tuning one problem on GPUs gave, and the rates that the memory of the one with the finalists reached beside it.
struct MeasuredTask {
  TuneOutcome outcome = {};
  gpu::Rates ceilings = {};
  std::vector<std::string> notes = {};  ///< on baselines that were left out or found wrong
  std::string searched = {};            ///< of which kernels not all configurations were evaluated; empty: of none
};

/// Verifies, then times, one configuration after the other, each on one of the boards, and stores every trial as soon
/// as it is known. Then one board, whichever was last, measures the finalists in rounds, ranks them, certifies the
/// winner and compares it with the libraries that its bench has. Wrong answers become counterexamples. What is seen of
/// a board meanwhile stands with its trials. What the database holds already of any of the boards is not measured
/// again, unless asked for. It is done by `end`, of which finalists, certificate and baselines have their part.
class TaskTuner {
 public:
  /// What all tasks of a run have in common; `simulator` compiles for and asks the host, whatever becomes of the
  /// boards.
  struct Setting {
    const Catalogue& catalogue;
    const TuningRequest& request;
    Shared& shared;
    MeasuringGpu& simulator;
    const std::vector<Rig*>& boards;        ///< that are there just now
    const std::vector<std::string>& uuids;  ///< of all GPUs whose earlier trials count
    const std::atomic<bool>& stop;
    Rig::Clock::duration rest;  ///< of a board whose clock is held back
  };

  TaskTuner(const Setting& setting, const TuningTask& task, Budget::End end);

  /// Whether there is something for a board to do now.
  bool has_work() const;

  /// The board, whose thread has its turn, works until there is nothing for it; says whether the task is done, and that
  /// by this board. What it was at when it is lost is for the others.
  bool join(Rig& board);

  const MeasuredTask& result() const { return result_; }

 private:
  enum class Phase { searching, closing, searched, deciding, done };

  /// Asked for, and to be measured as soon as it is compiled.
  struct Waiting {
    Choice choice;
    Program program;
    std::shared_future<CompiledProgram> built;
  };

  /// A configuration that was measured, in this run or an earlier one.
  struct Measured {
    CompiledConfiguration prepared;
    std::vector<std::string> keys;  ///< it is stored by one of: as measured on this board's GPU, then on the others
    Rig* board = nullptr;
    db::Id trial_id = 0;
    std::size_t order = 0;  ///< canonical: kernel, then point
    double median_us = std::numeric_limits<double>::infinity();
    bool is_new = false;  ///< of this run
  };

  bool ends() const { return stop_ || shared_.failed; }
  Budget::End search_end() const;
  /// Boards of one model differ a little; by so much the finalists may too.
  double spread() const;
  void enter(Rig& board);
  void look(Rig& board);
  void top_up(Rig& board);
  void look_at(Rig& board, Waiting one);
  void wait_for_others(Rig& board);
  bool others_are_well(const Rig& board) const;
  void close(Rig& board);
  void hear_sample();
  void hear(const SampleCheck::Simulated& judged);

  bool take_over(Rig& board, Measured& measured);
  bool evaluate(Rig& board, Measured& measured);
  bool measure(Rig& board, const Measured& measured, db::Trial& trial, std::vector<gpu::Sample>& samples);
  void note(Measured& measured, double median_us);

  void conclude(Rig& board);
  bool is_decided();
  void decide(Rig& board);
  std::size_t rank(Rig& board, const std::vector<Measured>& finalists, const worker::RoundsReply& reply);
  std::vector<std::string> compare(Rig& board);
  void drop(Rig& board, const Measured& finalist, Verdict verdict, const std::string& detail);
  void reject(Rig& board, const Measured& found, const conformance::PropertyReport& report);

  gpu::Candidate candidate(const CompiledConfiguration& prepared) const;
  std::vector<std::vector<Bound>> bounds(double depth, const std::string& observation = {}) const;
  double speed_of_light_of(const Rig& board, const Plan& plan) const;
  static db::Id store(Rig& board, const CompiledConfiguration& prepared, const db::Trial& trial,
                      const std::vector<gpu::Sample>& samples);
  db::Id store_rounds(Rig& board, const Measured& finalist, const worker::RoundsReply& reply, std::size_t column,
                      const std::string& warnings) const;

  const Setting& setting_;
  const TuningTask& task_;
  const TuningRequest& request_;
  Shared& shared_;
  const Budget::End end_;
  const std::atomic<bool>& stop_;
  const Device& device_;
  const Pattern& pattern_;
  const std::vector<Input> inputs_;
  const Budget::Clock::time_point begin_ = Budget::Clock::now();
  CounterexampleFinder finder_;
  SampleCheck sample_;
  std::map<const Rig*, gpu::Rates> ceilings_;  ///< of this session

  Phase phase_ = Phase::searching;
  bool has_opponents_ = false;  ///< libraries, in the board's bench
  std::optional<Search> search_;
  std::size_t ahead_ = 1;
  std::list<Waiting> queue_;
  std::size_t asked_ = 0;
  int busy_ = 0;  ///< boards that ask for more, or measure

  std::vector<Measured> measured_;
  std::optional<Measured> winner_;
  double best_us_ = std::numeric_limits<double>::infinity();
  MeasuredTask result_;
};

}  // namespace warpwright::tuner
