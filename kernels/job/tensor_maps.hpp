// Tensor maps of a job: reading and checking them, and making those of a plan.
#pragma once

#include <string>

#include "kernels/job/lowering.hpp"

namespace warpwright::job {

/// Whether it is the type of a tensor map: CUtensorMap or warpwright::tensor_map.
bool is_tensor_map_type(const std::string& type);

/// "a tensor map: pass it as {"tensor_map": "BUFFER", "extents": ..., ...}", for messages on other arguments.
std::string how_to_pass_a_tensor_map();

/// Reads `{"tensor_map": "a", "extents": ["columns", "rows"], "pitch": "pitch", "box": [64, 128], "swizzle": 128}`.
JobTensorMap job_tensor_map_of(const Node& node);

/// Throws JobError at `place` if there is no tensor map of that buffer, whatever its extents are.
void check_tensor_map(const JobBuffer& buffer, const Node& place);

/// The argument of the plan for that parameter; null: of a function on the CPU. Throws JobError at the argument's place
/// if the parameter is no tensor map.
Argument planned_tensor_map(const JobArgument& given, const Parameter* parameter, const StepRequest& request,
                            const Names& names);

/// What is wrong with the sizes of a tensor map of the step, and what to do.
std::string tensor_map_fault(const Job& job, const JobStep& step, const Names& names);

}  // namespace warpwright::job
