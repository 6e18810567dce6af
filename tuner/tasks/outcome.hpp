// Counts of what the tuning of one problem gave.
#pragma once

#include "kernels/runtime/messages/sampling.hpp"
#include "tuner/tasks/faults.hpp"

namespace warpwright::tuner {

/// What configurations took on a GPU.
struct TrialSeconds {
  int count = 0;
  double all = 0;              ///< without setting the problem up
  double samples = 0;          ///< of these, what was timed
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
  int resumed = 0;         ///< taken over from the database
  int shared = 0;          ///< of these, from other runs at the same time
  Faults faults = {};      ///< what failed, crashed, timed out, was too slow or did not compile
  int simulated = 0;       ///< of those measured, checked in the simulator too
  TrialSeconds seconds = {};
};

}  // namespace warpwright::tuner
