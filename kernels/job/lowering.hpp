// A job with the source of its kernels, from which its pattern and kernel are made.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/job/job.hpp"
#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/host_text.hpp"

namespace warpwright::job {

/// Immutable. All functions of the pattern and the kernel share it.
struct Lowering {
  Job job;
  DeviceText text;
  HostText oracle = {};                                              ///< of the oracle, if it is a function
  std::map<std::string, HostText> data = {};                         ///< of the functions for data, by buffer
  std::string source;                                                ///< the path of the text among the sources
  std::vector<double> cutoffs = {};                                  ///< numbers with which the text compares
  std::vector<Buffer> shared_buffers(const Problem& problem) const;  ///< the problem's: all but scratch
  Point preferred() const;
};

/// The values of a problem's names.
Names names_of(const Job& job, const Problem& problem);
/// The same with the params and properties of the device: sm_count, max_threads_per_sm, shared_per_block.
Names names_of(const Job& job, const Point& point, const Problem& problem, const Device& device);

/// The buffer of that name; null if there is none.
const JobBuffer* find_buffer(const Job& job, const std::string& name);

/// The plan's buffer for one of the job. Its number of elements counts each element of a vector.
Buffer plan_buffer(const JobBuffer& buffer, const Names& names);

/// Names in the plan of buffers that have other names in the job.
using Renamed = std::map<std::string, std::string>;

/// How steps of a plan are made.
struct StepRequest {
  const Lowering& lowering;
  const Point& point;
  const Problem& problem;
  const Device& device;
  Renamed renamed = {};
  Names further = {};     ///< that arguments may use
  bool absolute = false;  ///< floating values are passed as absolute values
};

/// Launches, zeroing and repeats, in order, after the uploads of the textures that they use. Throws JobError at the
/// line of an argument that cannot be passed.
std::vector<Step> plan_steps(const std::vector<JobStep>& steps, const StepRequest& request);

/// Uploads of the buffers in __constant__ variables.
std::vector<Step> uploads(const Lowering& lowering, const Renamed& renamed, const Names& names);

/// A call of a function on the CPU, whose text is at the path `source`. Its buffers are in the CPU's memory, with names
/// from `request.renamed`.
HostWork host_call(const JobStep& call, const HostText& text, const std::string& source, const StepRequest& request);

/// Whether the step's block size depends on the problem, and not only on params.
bool block_depends_on_problem(const Job& job, const JobStep& step);

/// Whether a block of the step has a whole number of threads that the device can have in one.
bool is_block_allowed(const JobStep& step, const Names& names, const Device& device);

/// Values of params that are in no configuration, since with each a block would have too many threads for the device.
std::vector<std::string> values_left_out(const Job& job, const Device& device);

/// The macros that are passed to the source.
Definitions definitions_of(const Lowering& lowering, const Point& point, const Problem& problem, const Device& device);

/// The names that the step's own steps may use: once, or once for each number of a loop with an index. None if it has
/// no steps.
std::vector<Names> names_in(const JobStep& step, const Names& names);

/// The first launch among the steps, and the names that it may use in the first pass of each loop around it.
struct FirstLaunch {
  const JobStep& step;
  Names names;
};
FirstLaunch first_launch(const std::vector<JobStep>& steps, Names names = {});

/// What is wrong with a step for the names that it may use; empty if nothing is.
using StepFault = std::function<std::string(const JobStep& step, const Names& names)>;

/// The first fault of the steps and of those inside them, in each pass of a loop with an index.
std::string first_fault(const std::vector<JobStep>& steps, const Names& names, const StepFault& fault_of);

/// If the step is a loop with an index that has more passes than a plan may hold.
std::string loop_fault(const JobStep& step, const Names& names);

/// Why the step cannot be launched: "the grid's x of blur is 0 (\"n / 256\")".
std::string launch_fault(const JobStep& step, const Names& names, const Device& device);

/// If the launch has more threads in a block than the kernel's __launch_bounds__ allow, as far as the source says it in
/// known numbers.
std::string bounds_fault(const Lowering& lowering, const JobStep& step, const Names& names);

/// Launches that pass the same memory to two parameters, one of which is __restrict__ and one of which may be stored
/// to.
std::vector<std::string> restrict_overlaps(const Lowering& lowering);

/// The blocks of a cluster, as the source says for that launch. Throws JobError if they are no numbers or params.
std::array<Expression, 3> cluster_of(const Job& job, const GlobalFunction& function, const JobStep& step);

/// Whether an extent is 0. The number of entries of some rows may be.
bool is_empty(const Job& job, const Problem& problem);

/// The number of CUDA threads that the steps start.
Value threads_of(const std::vector<JobStep>& steps, const Names& names);

/// The kernel of the step among `known`. Throws JobError at the step, with the known kernels.
const GlobalFunction& function_of(const Job& job, const std::vector<GlobalFunction>& known, const JobStep& step);

/// Whether both kernels have parameters of the same types and names.
bool take_the_same(const GlobalFunction& one, const GlobalFunction& other);

/// The buffers and values that have the names of the kernel's parameters, for a step without arguments.
std::vector<JobArgument> arguments_of(const Job& job, const GlobalFunction& function, const JobStep& step);

}  // namespace warpwright::job
