// Reads the parts of a job file: buffers, steps, and right results.
#pragma once

#include <vector>

#include "kernels/job/job.hpp"

namespace warpwright::job {

/// `job` needs its file and its source.
std::vector<JobBuffer> buffers_of(const Node& node, const Job& job);
std::vector<JobStep> steps_of(const Node& node);
std::vector<JobArgument> arguments_of(const Node& node);

/// {"function": ..., "file": ..., "arguments": [...]}. The file is the job's source unless it is given.
HostFunction host_function_of(const Node& node, const Job& job);

/// Reads "oracle", "bound", "laws", "work", "inputs", "strict" and "keeps_state". Buffers must have been read.
void read_answers(const Node& root, Job& job);

/// Throws JobError for an undefined name in an expression, an unknown buffer, or a name with two meanings.
void check_names(const Job& job);

}  // namespace warpwright::job
