// Replies of a worker to the requests of its parent, or the reason why there is none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/core/verdict.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/messages/gpu.hpp"
#include "kernels/runtime/messages/sampling.hpp"
#include "kernels/runtime/messages/step_times.hpp"
#include "kernels/runtime/messages/toolchain.hpp"
#include "kernels/runtime/simulator/results/execution.hpp"

namespace warpwright::worker {

/// The worker is alive and says why it did not carry out the request.
struct Refused {
  std::string reason;
  bool is_fatal = false;  ///< the device failed, so the worker cannot be used any more
};

/// The environment prevented the work: no memory, no file, no device. The text says what to do.
struct EnvironmentFailed {
  std::string reason;
};

/// One module for several programs, or the compiler's message.
struct CompiledModule {
  bool ok = false;
  std::string log;
  bool diagnosed = false;           ///< if it is not ok: the log says what is wrong with the source
  std::string missing_header = {};  ///< included by the source, and the simulator does not have it
  Bytes image = {};                 ///< the contents of the module's file
  std::vector<std::map<std::string, Instance>> instances = {};     ///< of each program, by entry
  std::vector<std::map<std::string, std::string>> constants = {};  ///< of each program: symbols by C++ name
};

/// A plan that the simulator ran. `buffers` are the plan's; those that are only read stay empty.
struct Simulated {
  simulator::Execution execution;
  std::vector<Bytes> buffers;
};

/// A plan that a GPU ran: passed, not launchable, or failed because it wrote where it must not.
struct PlanResult {
  Verdict verdict = Verdict::passed;
  std::string detail;
  std::vector<Bytes> buffers;     ///< the plan's, after its first run
  int runs = 1;                   ///< that were made
  std::vector<Bytes> other = {};  ///< the buffers after the last of them, if outputs have other bits then
};

/// The out and inout buffers of a callable, in order.
struct CallableOutputs {
  std::vector<Bytes> outputs;
};

/// The problem is set up on the GPU.
struct ProblemReady {
  double reference_us = 0;  ///< time of its reference
  int left_out = 0;         ///< inputs for which there was no time
};

/// A trial's samples, and whether they are valid.
struct TrialReply {
  gpu::Outcome outcome;
  std::vector<gpu::Sample> samples;
  gpu::TrialParts parts = {};
  int left_out = 0;  ///< inputs on which it did not run, since the right answers take too long
};

struct RoundsReply {
  std::vector<gpu::Outcome> outcomes;             ///< one per candidate
  std::vector<std::vector<gpu::Sample>> samples;  ///< [round][candidate]; empty if the worker was lost
};

struct StepsReply {
  std::vector<gpu::StepTime> steps;  ///< empty for a callable, and for a plan that executes too many
};

/// The time of a kernel divided by that of a kernel with half its work.
struct SensorRatio {
  double ratio = 0;
};

}  // namespace warpwright::worker
