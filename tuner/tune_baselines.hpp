// The winner against the libraries: their knobs searched like a kernel's, then all in turns on the same buffers.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "kernels/runtime/worker/gpu_client.hpp"
#include "tuner/tune_record.hpp"

namespace warpwright::tuner {

/// What measures: a GPU client whose worker holds callables, its problem selected.
struct BaselineBench {
  std::function<std::vector<worker::CallableOffer>(const Problem&)> callables;
  std::function<worker::TrialReply(const gpu::Candidate&, bool verify, int samples)> trial;
  std::function<worker::RoundsReply(const std::vector<gpu::Candidate>&, int rounds, std::uint64_t seed)> rounds;
};
BaselineBench bench_of(worker::GpuClient& client);

/// The configuration that the libraries are compared with, and what is asked of them.
struct BaselineTask {
  Problem problem;
  gpu::Candidate winner;
  db::Id winner_trial = 0;
  /// Per input of the session and observed output.
  std::function<std::vector<std::vector<Bound>>(double depth, const std::string& observation)> bounds;
  /// How the callable breaks a law that it is held to; empty where it keeps them.
  std::function<std::string(const worker::CallableOffer&, const worker::KnobsOffer&)> broken_law;
  double floor_us = 0;  ///< no right answer can be faster
  std::uint64_t seed = 1;
};

/// Measures every callable that has not been compared with this winner yet: verifies all of its knobs, takes the
/// fastest and the default, and stores both with the paired ratio of 30 rounds in turns. Those that wait for the device
/// are timed by the host's clock, and the winner beside them likewise. Gives one line for people on everything that was
/// left out or found wrong.
std::vector<std::string> compare_with_baselines(const BaselineBench& bench, const BaselineTask& task,
                                                Recorder& recorder, const std::atomic<bool>& stop);

}  // namespace warpwright::tuner
