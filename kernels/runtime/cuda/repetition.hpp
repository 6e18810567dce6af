// Measures the energy of work with a counter that changes only now and then.
#pragma once

#include <functional>
#include <optional>

namespace warpwright::gpu {

/// The board's counter, in joules, and a clock, in seconds.
struct EnergyMeter {
  std::function<std::optional<double>()> joules;
  std::function<double()> seconds;
};

struct MeteredWork {
  std::function<void(int runs)> queue;  ///< queues so many runs, and waits for those that were queued before
  std::function<void()> wait;           ///< waits for all
};

/// The joules of one run. It runs without a pause, also while the counter is read, from a change of the counter to the
/// first change that comes at least `seconds` later: kMostEnergyRuns times at most, if a run is longer than that.
/// Nothing without a counter, or if it does not change.
std::optional<double> joules_of(const EnergyMeter& meter, const MeteredWork& work, double seconds);

}  // namespace warpwright::gpu
