// A job with the text of its kernels: what its pattern and kernel are made of.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/job/job.hpp"
#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

/// Immutable, and shared by all functions of the pattern and the kernel.
struct Lowering {
  Job job;
  DeviceText text;
  std::string source;                                                ///< the path that the text has among sources
  std::vector<Buffer> shared_buffers(const Problem& problem) const;  ///< of the problem: all but scratch
  Point preferred() const;
};

/// What the problem's names stand for.
Names names_of(const Job& job, const Problem& problem);
/// With the params, and what is known of the device: sm_count, max_threads_per_sm, shared_per_block.
Names names_of(const Job& job, const Point& point, const Problem& problem, const Device& device);

/// The buffer of that name; null for none.
const JobBuffer* find_buffer(const Job& job, const std::string& name);

/// Its elements, lanes counted.
Buffer plan_buffer(const JobBuffer& buffer, const Names& names);

/// Names of buffers in a plan that are not those of the job.
using Renamed = std::map<std::string, std::string>;

/// How steps are made into those of a plan.
struct StepRequest {
  const Lowering& lowering;
  const Point& point;
  const Problem& problem;
  const Device& device;
  Renamed renamed = {};
  bool absolute = false;  ///< values of floating types are passed without their signs
};

/// Launches, zeros and repeats, in order, behind the copies into the textures that they take. Throws JobError at the
/// line of what cannot be passed.
std::vector<Step> plan_steps(const std::vector<JobStep>& steps, const StepRequest& request);

/// Uploads of the buffers that lie in __constant__ variables.
std::vector<Step> uploads(const Lowering& lowering, const Renamed& renamed, const Names& names);

/// A call of the host on buffers that lie with it, which are called as `request.renamed` has them.
HostWork host_call(const JobStep& step, const StepRequest& request, const std::string& source);

/// The macros that reach the text.
Definitions definitions_of(const Lowering& lowering, const Point& point, const Problem& problem, const Device& device);

/// Why the steps cannot be launched: "the grid's x of blur is 0 (\"n / 256\")"; empty where they can.
std::string launch_fault(const std::vector<JobStep>& steps, const Names& names, const Device& device);

/// CUDA threads that the steps start.
Value threads_of(const std::vector<JobStep>& steps, const Names& names);

/// The first launch among the steps.
const JobStep& first_launch(const std::vector<JobStep>& steps);

/// The names of a function's template parameters: "N" for "int N".
std::vector<std::string> template_names(const GlobalFunction& function);

/// The kernel of that step among those known; throws JobError at the step, with the ones that there are.
const GlobalFunction& function_of(const Job& job, const std::vector<GlobalFunction>& known, const JobStep& step);

/// In order, one for each parameter.
std::vector<JobArgument> arguments_of(const Lowering& lowering, const JobStep& step);

}  // namespace warpwright::job
