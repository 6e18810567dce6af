// Wrong answers that `tune` meets become counterexamples, which the next run of `tune` and `conform` begins with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/counterexamples.hpp"
#include "tuner/gpu_bench.hpp"
#include "tuner/tune/devices/rig.hpp"
#include "tuner/tune/prepare.hpp"
#include "tuner/tune/request.hpp"

namespace warpwright::tuner {

/// Counterexamples stored of one kernel for one problem in one run: more are mostly the same mistake.
inline constexpr int kKeptCounterexamples = 3;

/// Those of one problem on GPUs.
class Failures {
 public:
  /// All must outlive it.
  Failures(const Problem& problem, const TuneRequest& request, const std::atomic<bool>& stop)
      : problem_(problem), request_(request), stop_(stop) {}

  /// Of a configuration with a wrong answer on that GPU: looks for a small case that is wrong too, and stores it,
  /// shrunk; where there is none, stores the problem itself. Gives the hint that reproduces what was stored, for the
  /// end of the trial's detail; empty where nothing was.
  std::string keep(GpuBench& bench, Recorder& recorder, const Prepared& prepared, const gpu::Outcome& outcome);

 private:
  const Problem& problem_;
  const TuneRequest& request_;
  const std::atomic<bool>& stop_;
  std::map<const Kernel*, int> kept_;
};

/// Runs the stored counterexamples of the items' kernels again: those of the host, where it has a compiler, and those
/// of the GPU, if there is one. Says what became of each on stderr, and gives how many still fail. Where others wait
/// for `turn`, it is let go of while a case runs.
int replay_stored(const Workshop& shop, const std::vector<TuneItem>& items, db::Store& store, Turn* turn = nullptr,
                  const std::optional<conformance::Checker::GpuTarget>& gpu = std::nullopt);

}  // namespace warpwright::tuner
