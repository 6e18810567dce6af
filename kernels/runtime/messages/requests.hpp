// The requests that a parent sends to a worker, each with the type of its reply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/messages/baseline_info.hpp"
#include "kernels/runtime/messages/gpu.hpp"
#include "kernels/runtime/messages/replies.hpp"
#include "kernels/runtime/messages/sampling.hpp"
#include "kernels/runtime/simulator/results/options.hpp"

namespace warpwright::worker {

/// Asks which compilers the worker has.
struct Describe {
  using Reply = Toolchain;
};

/// One module for all programs; `target` is "sm_XX", "host/sm_XX" or kHostFunctionsTarget.
struct Compile {
  using Reply = CompiledModule;
  SourceTree sources;
  std::vector<Program> programs;
  std::string target;
  bool try_quickly = false;  ///< see gpu::Nvrtc::compile()
};

/// Runs a plan in the simulator.
struct Simulate {
  using Reply = Simulated;
  Plan plan;
  std::string module;          ///< path of the shared object
  std::string host_functions;  ///< the same for host functions; empty: the plan's host steps call none
  std::vector<Bytes> buffers;  ///< the plan's
  simulator::SimulationOptions options;
  std::vector<simulator::Page> pages = {};  ///< if blocks are sampled: of the buffers, instead of their contents
};

/// Asks for the worker's callables: all of them, or those that accept the problem on that device, with their knobs.
struct ListCallables {
  using Reply = std::vector<BaselineInfo>;
  std::optional<Problem> problem;
  Device device;
};

/// Asks for the GPUs of this computer.
struct ListGpus {
  using Reply = std::vector<gpu::GpuInfo>;
};

struct ReadSensors {
  using Reply = gpu::Sensors;
  std::string uuid;
};

/// Runs a plan on a GPU and checks that it wrote only where it is allowed to.
struct RunPlan {
  using Reply = PlanResult;
  int gpu = 0;
  Plan plan;
  CompiledProgram program;
  std::vector<Bytes> buffers;  ///< the plan's
  /// For runs under another tool: buffers have their exact size, only inputs and self-restoring scratch are written,
  /// and nothing is checked or replied.
  bool bare = false;
  bool reads_outputs = false;  ///< in a bare run: outputs are copied to the host
  int runs = 1;                ///< all with the same contents, until one leaves other bits in outputs than the first
};

/// Runs a callable once, with outputs filled with `poison`.
struct RunCallable {
  using Reply = CallableOutputs;
  int gpu = 0;
  gpu::CallableChoice callable;
  std::vector<Buffer> buffers;
  std::vector<Bytes> inputs;  ///< of the in and inout buffers
  std::uint8_t poison = 0;
};

/// Sets a problem up on a GPU, for the trials and rounds that follow. `support` is the program of support kernels.
struct SelectProblem {
  using Reply = ProblemReady;
  int gpu = 0;
  CompiledProgram support;
  gpu::ProblemSetup setup;
  double seconds = 0;  ///< after these, inputs other than the last are left out; 0: never
};

/// Verifies a candidate on every input of the problem, if requested, and times it.
struct Trial {
  using Reply = TrialReply;
  int gpu = 0;
  gpu::Candidate candidate;
  bool verify = false;
  gpu::Sampling sampling;
};

/// Times candidates in turn, each round in its own order.
struct Rounds {
  using Reply = RoundsReply;
  int gpu = 0;
  std::vector<gpu::Candidate> candidates;
  int rounds = 0;
  std::uint64_t seed = 0;
};

/// Times every step of a candidate's plan by itself; medians over this many runs.
struct TimeSteps {
  using Reply = StepsReply;
  int gpu = 0;
  gpu::Candidate candidate;
  int runs = 0;
};

/// Runs a candidate's plan many times: for its energy, and for its time in a graph.
struct RepeatRuns {
  using Reply = gpu::Repeated;
  int gpu = 0;
  gpu::Candidate candidate;
  bool has_energy = false;
  bool replays = false;
};

/// The rates of memory for arrays of this many bytes, of arithmetic, and of the bus for copies of `bus_bytes` (0: not
/// measured).
struct MeasureRates {
  using Reply = gpu::Rates;
  int gpu = 0;
  CompiledProgram support;
  std::int64_t bytes = 0;
  std::int64_t bus_bytes = 0;
  int samples = 0;
};

struct MeasureSensorRatio {
  using Reply = SensorRatio;
  int gpu = 0;
  CompiledProgram support;
};

using Request = std::variant<Describe, Compile, Simulate, ListCallables, ListGpus, ReadSensors, RunPlan, RunCallable,
                             SelectProblem, Trial, Rounds, TimeSteps, RepeatRuns, MeasureRates, MeasureSensorRatio>;

template <class Requests>
struct AnswerOf;
template <class... Requests>
struct AnswerOf<std::variant<Requests...>> {
  using type = std::variant<Refused, EnvironmentFailed, typename Requests::Reply...>;
};

/// The worker's answer: the reply to the request, or the reason why there is none.
using Answer = AnswerOf<Request>::type;

}  // namespace warpwright::worker
