// Counts of the results of tuning one problem.
#pragma once

#include <string>

#include "kernels/runtime/messages/sampling.hpp"
#include "tuner/tasks/faults.hpp"

namespace warpwright::tuner {

/// The time that configurations took on a GPU.
struct TrialSeconds {
  int count = 0;
  double all = 0;              ///< without setting up the problem
  double samples = 0;          ///< of these, timed samples
  gpu::TrialParts parts = {};  ///< the rest
  double compiling = 0;        ///< while the GPU waited for the compiler

  void add(const TrialSeconds& other) {
    count += other.count;
    all += other.all;
    samples += other.samples;
    parts.add(other.parts);
    compiling += other.compiling;
  }
  /// Of one configuration; 0 if none is known.
  double mean() const { return count > 0 ? all / count : 0; }
};

/// For measuring and predicting.
struct TuneOutcome {
  int configurations = 0;  ///< evaluated in this run
  int resumed = 0;         ///< reused from the database
  int shared = 0;          ///< of these, from concurrent runs
  Faults faults = {};      ///< configurations that failed, crashed, timed out, were too slow or did not compile
  int simulated = 0;       ///< of the measured ones, also checked in the simulator
  TrialSeconds seconds = {};
  std::string not_deterministic = {};  ///< why finalists were not shown to be, if they must be
  std::string late_answers = {};       ///< why the right answers were not ready in time; empty if they were
};

}  // namespace warpwright::tuner
