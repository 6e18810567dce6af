// What became of the tuning of one problem, counted.
#pragma once

#include "tuner/tasks/faults.hpp"

namespace warpwright::tuner {

/// What happened in one problem's tuning, of either kind.
struct TuneOutcome {
  int configurations = 0;  ///< evaluated in this run
  int resumed = 0;         ///< taken over from the database
  int shared = 0;          ///< of these, from runs beside this one
  Faults faults = {};      ///< what failed, crashed, timed out or did not compile
  int judged = 0;          ///< of those measured, on the host too
};

}  // namespace warpwright::tuner
