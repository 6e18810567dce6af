// Tuning without the GPU: compile everything, judge on the host, count accesses, rank by the model, store as predicted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "db/store/leases.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/outcome.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// What tuning one problem without its GPU gave.
struct PredictedItem {
  TuneOutcome outcome;
  std::string searched;  ///< of which kernels not all configurations were evaluated; empty: of none
};

/// Predicts every point of the items' kernels, or as many as there is time for, and ranks them, item after item; `done`
/// hears of each. With a budget the default of every kernel of all items comes first, then each item has its share. A
/// trial is stored as soon as it is known.
/// What another run on the database has claimed is left to it, and what comes of it taken over: it counts here too, and
/// is waited for when nothing else is left.
/// The configurations of a covering sample of each space are judged on edge shapes, every other one on the pattern's
/// trace problem, and the best are judged until one has passed.
void predict_items(const Workshop& shop, const std::vector<TuneItem>& items, const TuneRequest& request,
                   Recorder& recorder, db::Claims& claims, const Budget& budget,
                   const std::function<void(const TuneItem&, const PredictedItem&)>& done);

}  // namespace warpwright::tuner
