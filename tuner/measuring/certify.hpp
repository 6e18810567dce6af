// The certificate of a winner: property tests on the GPU, and others in the simulator.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// Hardware hides races, and the simulator has no clock, so a winner must pass on both.
struct Certification {
  conformance::PropertyReport on_device;
  conformance::PropertyReport on_host = {};
  std::string not_modelled = {};                          ///< why not in the simulator; empty where it was
  std::optional<conformance::CountedAccess> access = {};  ///< on the pattern's traced problem, if it was right there
};

/// 200 cases on the GPU and meanwhile 60 in the simulator, in four parts with different seeds; fewer if `end` comes
/// first, but at least a second's worth. Among the first cases are shapes for each kernel instance that the plan of the
/// tuned problem launches. Beside them the simulator runs the pattern's traced problem and counts accesses; with an
/// `end`, only what is there when the cases are done counts.
Certification certify(MeasuringGpu& gpu, const CompiledConfiguration& winner, const Problem& problem,
                      std::uint64_t seed, Budget::End end, const std::atomic<bool>& stop);

/// Whether the outputs of a configuration have equal bits in many runs.
struct EqualBits {
  std::optional<bool> shown = {};  ///< none: that could not be shown
  std::string why = {};            ///< why not
};

/// In 50 schedules in the simulator, on the pattern's traced problem, and meanwhile in 100 runs on the GPU each of a
/// problem that leaves some of its multiprocessors without a block and of one that fills it.
EqualBits equal_bits(MeasuringGpu& gpu, const Catalogue& catalogue, const CompiledConfiguration& winner,
                     const Problem& problem, Budget::End end, const std::atomic<bool>& stop);

/// Small shapes around the configuration's tile whose plans launch what that of `problem` launches: one for each of its
/// entries, where there is one.
std::vector<std::vector<std::int64_t>> shapes_of_instances(const CompiledConfiguration& configuration,
                                                           const Problem& problem, const Device& device);

}  // namespace warpwright::tuner
