// Tuning without the GPU: compile everything, judge on the host, count accesses, rank by the model, store as predicted.
#pragma once

#include "tuner/tune/prepare.hpp"
#include "tuner/tune/request.hpp"

namespace warpwright::tuner {

/// What happened in one problem's tuning, of either kind.
struct TuneOutcome {
  int configurations = 0;  ///< evaluated in this run
  int resumed = 0;         ///< taken over from the database
  int wrong = 0;           ///< failed, crashed, timed out or did not compile
  double seconds = 0;
};

/// Predicts every point of the item's kernels (or as many as the budget allows), stores the trials and ranks them.
/// The configurations of a covering sample of each space are judged on edge shapes, every other one on the pattern's
/// trace problem, and the best are judged until one has passed.
TuneOutcome predict_item(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder);

}  // namespace warpwright::tuner
