// Evaluates the configurations of one problem without a GPU: leases, compiles, simulates and stores them.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "conformance/checks/oracle_answer.hpp"
#include "tuner/predicting/growth.hpp"
#include "tuner/predicting/work_share.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/task_search.hpp"

namespace warpwright::tuner {

/// A configuration that another run on the database has leased is left to that run, and its result is reused.
class PredictionLoop {
 public:
  enum class At { defaults, all };  ///< the default of each kernel, or every configuration

  /// All must outlive it.
  PredictionLoop(const TuningContext& context, const TuningTask& task, const TuningRequest& request, WorkShare& share);
  /// Waits for the simulations that use its members.
  ~PredictionLoop();
  PredictionLoop(const PredictionLoop&) = delete;
  PredictionLoop& operator=(const PredictionLoop&) = delete;

  /// Evaluates until there is nothing left, the time is over, or the user stops it. May be called again. If the time of
  /// the workers is over too, what they were doing is left as it is.
  void run(At what, Budget::End end);
  /// Drops the configurations in progress, and releases their leases.
  void abandon();

  /// The finished ones.
  std::vector<Evaluation>& evaluations() { return evaluations_; }
  int resumed() const { return resumed_; }  ///< number of evaluations reused from the database
  int shared() const { return shared_; }    ///< of these, from concurrent runs
  std::string searched() const { return search_.searched(); }
  /// What a case in the simulator took so far, on average.
  std::optional<double> seconds_of_case() const;

 private:
  /// A configuration in progress, with the data of its stage.
  struct Pending {
    Choice choice;
    Evaluation evaluation;
    Program program;                                ///< for the device
    std::optional<Program> simulator_program = {};  ///< if there is a simulator
    worker::CompileResult compiled = {};            ///< since the stage `comparing` or `compiling`
    std::future<Simulated> simulated = {};          ///< since the stage `simulating`

    Stage stage() const { return evaluation.stage; }
    bool is_leased() const { return stage() == Stage::compiling || stage() == Stage::simulating; }
  };

  void evaluate(At what, Budget::End end);
  void ask_search(At what);
  void lease();
  void compile(const std::vector<Pending*>& asked);
  /// Moves the configuration to its next stage, if its result is ready.
  void advance(Pending& one);
  void advance_compiled(Pending& one);
  /// Measured for the first evaluation that needs it.
  const std::optional<Growth>& growth_for(const Simulated& simulated);
  void store();
  void say_when_waiting();
  Program program(const Kernel& kernel, const Point& params, const Device& device) const;
  /// The stored trial of any run, if it meets this run's request.
  std::optional<db::Trial> known_trial(const Evaluation& evaluation) const;
  void take_over(Evaluation& evaluation, const db::Trial& known);
  std::size_t count(Stage stage) const;

  const TuningContext& context_;
  const TuningTask& task_;
  const TuningRequest& request_;
  WorkShare& share_;
  const bool can_simulate_;
  std::size_t ahead_;             ///< configurations under way: few at first, so that there are results soon
  bool has_growth_ = false;       ///< measured, if that was possible
  std::optional<Growth> growth_;  ///< of a user's kernel whose accesses are counted on the traced problem
  Search search_;
  std::list<Pending> queue_;
  std::vector<Evaluation> evaluations_;
  std::size_t stored_ = 0;  ///< number of first evaluations that are in the database
  Budget::Clock::time_point stored_at_ = Budget::Clock::now(), asked_again_ = stored_at_, waiting_since_ = stored_at_;
  bool has_begun_ = false;
  bool has_said_ = false;  ///< that it waits for another run
  std::atomic<bool> is_abandoned_ = false;
  int resumed_ = 0, shared_ = 0, cases_ = 0;
  double seconds_of_cases_ = 0;
};

}  // namespace warpwright::tuner
