// The energy of work from a counter that changes only now and then.
#pragma once

#include <functional>
#include <optional>

namespace warpwright::gpu {

/// The board's counter, in joules, and a clock, in seconds.
struct EnergyMeter {
  std::function<std::optional<double>()> joules;
  std::function<double()> seconds;
};

/// The joules of one run, where `run(n)` runs it n times and waits: runs it without a pause, from a change of the
/// counter to the first change that comes at least `seconds` later. Nothing without a counter, or if it does not
/// change.
std::optional<double> joules_of(const EnergyMeter& meter, const std::function<void(int)>& run, double seconds);

}  // namespace warpwright::gpu
