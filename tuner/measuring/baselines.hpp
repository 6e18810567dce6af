// The winner against the libraries: their knobs searched like a kernel's, then all in turns on the same buffers.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/records/recorder.hpp"
#include "tuner/tasks/budget.hpp"

namespace warpwright::tuner {

/// The configuration that the libraries are compared with, and what is asked of them.
struct BaselineTask {
  Problem problem;
  gpu::Candidate winner;
  db::Id winner_trial = 0;
  /// Per input of the session and observed output.
  std::function<std::vector<std::vector<Bound>>(double depth, const std::string& observation)> bounds;
  double speed_of_light_us = 0;                               ///< no right answer can be faster
  std::function<void(const std::string& activity)> now = {};  ///< hears what is done, if somebody is to see it
  std::uint64_t seed = 1;
  Budget::End end = {};  ///< of the time for knobs that are no default
};

/// The bench has the problem selected. Measures every callable that has not been compared with this winner yet:
/// verifies all of its knobs, takes the fastest and the default, and stores both with the paired ratio of 30 rounds in
/// turns. Where the time ends first, each has had its default and its share of the time. Those that wait for the device
/// are timed by the host's clock, and the winner beside them likewise. Gives one line for people on everything that was
/// left out or found wrong.
std::vector<std::string> compare_with_baselines(MeasuringGpu& bench, const BaselineTask& task, Recorder& recorder,
                                                const std::atomic<bool>& stop);

/// One line on the baselines, in that worker, of an architecture whose GPU is not there.
std::string untimed_baselines(const std::filesystem::path& program);

}  // namespace warpwright::tuner
