// A look at the configurations of one problem: they are compiled, judged and stored as they come.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "db/store/leases.hpp"
#include "tuner/predicting/evaluation_store.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/task_search.hpp"

namespace warpwright::tuner {

/// What runs beside this one on the database has claimed is left to it, and what comes of it taken over.
class PredictionLoop {
 public:
  enum class At { defaults, all };  ///< the default of each kernel, or everything

  /// All must outlive it.
  PredictionLoop(const TuningContext& context, const TuningTask& task, const TuningRequest& request,
                 EvaluationStore& rows, db::Leases& claims);
  /// No task outlives what it reads here.
  ~PredictionLoop();
  PredictionLoop(const PredictionLoop&) = delete;
  PredictionLoop& operator=(const PredictionLoop&) = delete;

  /// Goes on until all is known, the time is over or the user stops it.
  void go_on(At what, Budget::End end);
  /// Nothing more is looked at: what is under way is left undone, for whoever wants it.
  void leave();

  std::vector<Evaluation>& rows() { return rows_; }
  int resumed() const { return resumed_; }  ///< rows that were taken over from the database
  int shared() const { return shared_; }    ///< of these, from runs beside this one
  std::string searched() const { return search_.searched(); }

 private:
  /// A configuration that was asked for: first it is claimed, then compiled, then judged. What another run does is put
  /// behind; what another run has done is compiled for the device alone, by which its trial is known.
  struct Waiting {
    Choice choice;
    Evaluation row;
    Program program;                           ///< for the device
    std::optional<Program> host_program = {};  ///< where there is who simulator
    db::Lease claim = db::Lease::free;
    std::shared_future<CompiledProgram> built = {};
    std::future<Simulated> judged = {};
  };

  void refill(At what);
  void claim();
  void compile(const std::vector<Waiting*>& asked);
  bool move_on(Waiting& one);
  void store();
  void say_when_waiting();
  Program program(const Kernel& kernel, const Point& params, const Device& device) const;
  std::optional<db::Trial> known_of(const Evaluation& row) const;
  void take_over(Evaluation& row, const db::Trial& known);
  bool still_holds(const db::Trial& known, const CompiledConfiguration& prepared) const;

  const TuningContext& context_;
  const TuningTask& task_;
  const TuningRequest& request_;
  EvaluationStore& row_store_;
  Recorder& recorder_;
  db::Leases& leases_;
  const bool can_judge_;
  std::size_t ahead_;  ///< configurations on their way: few at first, so that something is known soon
  const conformance::OracleAnswer answer_;  ///< of the traced problem with a case's usual input
  Search search_;
  std::list<Waiting> queue_;
  std::vector<Evaluation> rows_;
  std::size_t stored_ = 0;  ///< so many of the rows
  Budget::Clock::time_point stored_at_ = Budget::Clock::now(), asked_again_ = stored_at_, waiting_since_ = stored_at_;
  bool is_begun_ = false;
  bool said_ = false;  ///< that it waits
  std::atomic<bool> given_up_ = false;
  int resumed_ = 0, shared_ = 0;
};

}  // namespace warpwright::tuner
