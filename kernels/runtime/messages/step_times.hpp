// The steps of the timed part of a plan, each with its time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright::gpu {

/// A step that is no repeat. Times are microseconds since the start of the timed part.
struct StepTime {
  std::string kind;  ///< "launch", "memset", "copy", "copy to GPU", "copy to CPU", "constant", "texture", "prefetch",
                     ///< "host", "wait"
  std::string name;  ///< the kernel's instance, the function of the CPU, or the buffers
  int stream = 0;
  std::int64_t times = 1;  ///< how often a run executes it
  double start_us = 0;     ///< of its first execution
  double end_us = 0;       ///< of its last one
  double us = 0;           ///< total of all its executions
};

/// The steps of the timed part, repeats replaced by their steps, in order; their times are 0.
std::vector<StepTime> timed_steps(const Plan& plan);

/// The steps before and behind the timed part, likewise.
std::vector<StepTime> untimed_steps(const Plan& plan);

/// Steps are not timed one by one in plans that execute more of them in a run.
inline constexpr std::int64_t kMostStepExecutions = 4096;
std::int64_t executions_of(const std::vector<StepTime>& steps);

/// For every step the medians over several runs of the same plan.
std::vector<StepTime> median_of(const std::vector<std::vector<StepTime>>& runs);

}  // namespace warpwright::gpu
