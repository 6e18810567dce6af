// Tuning on the GPU: verify, then time, one configuration after the other; finalists in rounds; the winner certified.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tuner/gpu_bench.hpp"
#include "tuner/gpu_watch.hpp"
#include "tuner/tune/budget.hpp"
#include "tuner/tune/predict/predict.hpp"

namespace warpwright::tuner {

/// What tuning one problem on the GPU gave, and the rates that memory reached beside it.
struct MeasuredItem {
  TuneOutcome outcome;
  gpu::Ceilings ceilings;
  std::vector<std::string> notes;  ///< on baselines that were left out or found wrong
  std::string looked_at;           ///< of which kernels not all configurations were looked at; empty: of none
};

/// Measures the item's kernels, stores every trial as soon as it is known, ranks the finalists and certifies the
/// winner; then compares it with the libraries that the bench has. Wrong answers become counterexamples. What `watch`
/// sees meanwhile stands with the trials. What the database holds already is not measured again, unless asked for.
/// It is done by `end`, of which finalists and certificate have their part; baselines are for what is left.
MeasuredItem measure_item(const Catalogue& catalogue, const TuneItem& item, const TuneRequest& request,
                          Recorder& recorder, GpuBench& bench, GpuWatch& watch, Budget::End end,
                          const std::atomic<bool>& stop);

}  // namespace warpwright::tuner
