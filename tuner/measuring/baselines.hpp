// Compares the winner with libraries. First their knobs are searched, then all are timed in alternating rounds on
// the same buffers.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/measuring/trial_writer.hpp"
#include "tuner/tasks/budget.hpp"

namespace warpwright::tuner {

/// The configuration that the libraries are compared with, and the requirements on them.
struct BaselineTask {
  Problem problem;
  gpu::Candidate winner;
  db::Id winner_trial = 0;
  double winner_us = 0;
  /// For each input and each observed output.
  std::function<std::vector<std::vector<Bound>>(double depth, const std::string& observation)> bounds;
  double speed_of_light_us = 0;                               ///< no right answer can be faster
  std::function<void(const std::string& activity)> now = {};  ///< reports the current activity, if it is shown
  std::uint64_t seed = 1;
  Budget::End end = {};  ///< for trying knobs other than the default
};

/// Measures every callable that has not been compared with this winner yet, on a GPU on which the problem is selected.
/// Verifies all choices of its knobs, selects the fastest and the default one, and stores both with the paired ratio of
/// 30 rounds. If the time is short, each callable gets at least its default and its share of the time. A callable that
/// waits for the GPU is timed by the host's clock, and so is the winner with it. Returns one line for each callable
/// that was left out or found wrong.
std::vector<std::string> compare_with_baselines(MeasuringGpu& gpu, const BaselineTask& task, TrialWriter& writer,
                                                const std::atomic<bool>& stop);

/// One line about the baselines in that worker, which are for a GPU that this computer does not have.
std::string untimed_baselines(const std::filesystem::path& program);

}  // namespace warpwright::tuner
