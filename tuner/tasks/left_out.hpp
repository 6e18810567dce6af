// Kernels that a run leaves out, with their reasons.
#pragma once

#include <string>
#include <vector>

#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Leaves out the kernels whose plans call host functions, for which there is no compiler for that reason.
void leave_out_host_steps(const Catalogue& catalogue, std::vector<TuningTask>& tasks, const Device& device,
                          const std::string& reason);

/// Leaves out the kernels whose device code launches, for which there is no linker for that reason.
void leave_out_device_launches(const Catalogue& catalogue, std::vector<TuningTask>& tasks, const Device& device,
                               const std::string& reason);

/// Says on stderr why kernels are left out of problems that none is left for, and drops these problems.
void drop_unsolved(std::vector<TuningTask>& tasks);

}  // namespace warpwright::tuner
