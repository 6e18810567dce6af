// Counts of what the tuning of one problem gave.
#pragma once

#include "tuner/tasks/faults.hpp"

namespace warpwright::tuner {

/// What configurations took on a GPU.
struct TrialSeconds {
  int count = 0;
  double all = 0;
  double samples = 0;  ///< of these, what was timed: the rest set up, ran and verified them

  void add(const TrialSeconds& other) {
    count += other.count;
    all += other.all;
    samples += other.samples;
  }
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
