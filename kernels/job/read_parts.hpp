// The parts of a job file: buffers, steps, and what is right.
#pragma once

#include <vector>

#include "kernels/job/job.hpp"

namespace warpwright::job {

std::vector<JobBuffer> buffers_of(const Node& node);
std::vector<JobStep> steps_of(const Node& node);
std::vector<JobArgument> arguments_of(const Node& node);

/// "oracle", "bound", "laws", "work", "inputs" and "strict" of the job, whose buffers are known.
void read_answers(const Node& root, Job& job);

/// Throws JobError for a name that an expression uses and nothing defines, a buffer that there is not, and a name that
/// means two things.
void check_names(const Job& job);

}  // namespace warpwright::job
