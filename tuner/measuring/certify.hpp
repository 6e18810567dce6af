// The certificate of a winner: property tests on the GPU, and others in the simulator.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// Hardware hides races, and the simulator has no clock, so a winner must pass on both.
struct Certification {
  conformance::PropertyReport on_device;
  conformance::PropertyReport on_host = {};
  std::string not_modelled = {};  ///< why not in the simulator; empty where it was
};

/// 200 cases on the GPU and meanwhile 60 in the simulator, in four parts with different seeds; fewer if `end` comes
/// first, but at least a second's worth. Among the first cases are shapes for each kernel instance that the plan of the
/// tuned problem launches.
Certification certify(MeasuringGpu& gpu, const CompiledConfiguration& winner, const Problem& problem,
                      std::uint64_t seed, std::optional<std::chrono::steady_clock::time_point> end,
                      const std::atomic<bool>& stop);

/// Small shapes around the configuration's tile, one for each entry that the plan of `problem` launches and for which
/// such a shape exists.
std::vector<std::vector<std::int64_t>> shapes_of_instances(const CompiledConfiguration& prepared,
                                                           const Problem& problem, const Device& device);

}  // namespace warpwright::tuner
