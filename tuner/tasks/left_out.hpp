// Leaves kernels out of a run, with reasons.
#pragma once

#include <string>
#include <vector>

#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Leaves out kernels whose plans call host functions; `reason` says why those cannot be compiled.
void leave_out_host_steps(const Catalogue& catalogue, std::vector<TuningTask>& tasks, const Device& device,
                          const std::string& reason);

/// Leaves out kernels that launch from the device; `reason` says why those cannot be linked.
void leave_out_device_launches(const Catalogue& catalogue, std::vector<TuningTask>& tasks, const Device& device,
                               const std::string& reason);

/// Drops problems without a kernel, and says on stderr why their kernels were left out.
void drop_unsolved(std::vector<TuningTask>& tasks);

}  // namespace warpwright::tuner
