// A GPU and the thread that measures on it; and the jobs of that thread with their results.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tuner/measuring/gpu_watch.hpp"
#include "tuner/measuring/measuring_setup.hpp"
#include "tuner/measuring/trial_writer.hpp"
#include "tuner/tasks/outcome.hpp"
#include "tuner/tasks/task_search.hpp"

namespace warpwright::tuner {

class TaskTuner;

/// Used only by the GPU's thread. Its members must outlive it, and it must outlive all that it measured.
struct GpuThread {
  GpuThread(MeasuringGpu& measuring, TrialWriter& own_writer, GpuWatch& own_watch)
      : gpu(measuring), writer(own_writer), watch(own_watch) {}

  MeasuringGpu& gpu;
  TrialWriter& writer;
  GpuWatch& watch;
  const MeasuringSetup* selected = nullptr;  ///< the task whose problem was selected last

  // For the queue, under its lock.
  TaskTuner* task = nullptr;                               ///< the task on which it works
  std::chrono::steady_clock::time_point rests_until = {};  ///< because its clock is reduced
};

/// The warning about a time whose configuration ran on the last input only.
inline constexpr const char* kOwnDataOnly =
    "right with the problem's own data; its other input was left out, since the CPU's answers take long";

/// A configuration with a time, measured in this run or an earlier one.
struct MeasuredConfiguration {
  CompiledConfiguration configuration;
  TrialWriter* writer = nullptr;  ///< of the GPU that measured it, or reused its result
  db::Id trial_id = 0;
  std::size_t order = 0;                                       ///< canonical: kernel, then point
  double median_us = std::numeric_limits<double>::infinity();  ///< infinity if it cannot be used
  double joules = std::numeric_limits<double>::infinity();     ///< likewise, and if its energy is not known
  bool is_new = false;                                         ///< measured in this run
  bool was_best = false;                                       ///< before this run

  double cost(Objective objective) const { return cost_of(objective, median_us, joules); }
};

/// A configuration that the search asked for, to be measured as soon as it is compiled.
struct QueuedConfiguration {
  Choice choice;
  Program program;
  worker::CompileResult built;
};

// Jobs: `run` is called in the GPU's thread, without any lock. It throws GpuLost where the GPU is lost.

/// Reads known results from the database.
struct ReadKnown {
  struct Result {
    std::vector<KnownBest> known;
  };
  Result run(GpuThread& thread, MeasuringSetup& setup) const;
};

/// Sets the problem up on the GPU, and measures the rates of the GPU if requested.
struct SelectProblem {
  struct Result {
    std::optional<gpu::Rates> rates = {};
    bool has_baselines = false;
    double setting_up_us = 0;
  };
  Result run(GpuThread& thread, MeasuringSetup& setup) const;

  bool measures_rates = false;
};

/// Hands programs to the compiler.
struct CompilePrograms {
  struct Result {
    std::vector<worker::CompileResult> built;
  };
  Result run(GpuThread& thread, MeasuringSetup& setup) const;

  std::vector<Choice> choices;
  std::vector<Program> programs;
  worker::Urgency urgency = worker::Urgency::usual;
};

/// Verifies, times and stores one configuration, or reuses its result from the database.
struct MeasureConfiguration {
  struct Result {
    std::optional<MeasuredConfiguration> measured;  ///< none: another GPU must do it, because this one's clock is
                                                    ///< reduced
    Verdict verdict = Verdict::passed;              ///< of a new measurement
    TrialSeconds seconds = {};                      ///< of a new measurement
  };
  Result run(GpuThread& thread, MeasuringSetup& setup) const;

  QueuedConfiguration queued;
  const Kernel* kernel = nullptr;
  Point params;
  std::size_t order = 0;
  double best_us = 0;                                            ///< of the task so far
  double too_slow_us = std::numeric_limits<double>::infinity();  ///< a longer run is ended
  bool again = false;                                            ///< measure it even if the database has it
  gpu::Rates rates;                                              ///< of this GPU
};

/// Measures the finalists in alternating rounds, certifies the best, and stores the ranking by time.
struct RankFinalists {
  struct Result {
    std::optional<MeasuredConfiguration> winner;
    std::vector<Verdict> dropped;   ///< verdicts of finalists that turned out wrong
    std::string not_deterministic;  ///< why others dropped out, if they must be deterministic
  };
  Result run(GpuThread& thread, MeasuringSetup& setup) const;

  std::vector<MeasuredConfiguration> finalists;  ///< in canonical order, which decides ties
  int rounds = kRounds;
  bool certifies = true;       ///< every kernel of the problem was measured
  bool has_baselines = false;  ///< baselines are to be measured after this
};

/// Compares the winner, if there is one, with the libraries.
struct CompareBaselines {
  struct Result {
    std::vector<std::string> notes;
  };
  Result run(GpuThread& thread, MeasuringSetup& setup) const;

  std::optional<MeasuredConfiguration> winner;
  bool has_baselines = false;
  gpu::Rates rates;  ///< of this GPU
};

/// The result of any job: its task ends, since the right answers were not ready in time.
struct Late {
  std::string why;
};

struct Job {
  TaskTuner* task = nullptr;
  GpuThread* thread = nullptr;
  MeasuringSetup* setup = nullptr;
  std::variant<ReadKnown, SelectProblem, CompilePrograms, MeasureConfiguration, RankFinalists, CompareBaselines> what;
};

using Measurement = std::variant<ReadKnown::Result, SelectProblem::Result, CompilePrograms::Result,
                                 MeasureConfiguration::Result, RankFinalists::Result, CompareBaselines::Result, Late>;

/// There is nothing to do for this GPU now, but soon: it stays with the task.
struct Wait {
  std::function<void(std::chrono::milliseconds most)> until = {};  ///< empty: wait until another GPU has finished a job
};

/// The next step of a GPU in a task; monostate: none.
using NextStep = std::variant<std::monostate, Wait, Job>;

}  // namespace warpwright::tuner
