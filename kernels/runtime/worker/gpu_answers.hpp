// Answers the requests that need a GPU: to run one plan, to verify and time configurations, to measure rates.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/cuda/problem_on_gpu.hpp"
#include "kernels/runtime/messages/requests.hpp"

namespace warpwright::worker {

class GpuAnswers {
 public:
  /// `callables` are those that requests may name.
  explicit GpuAnswers(const std::vector<Callable>& callables) : callables_(callables) {}

  /// All throw gpu::DriverError if the device fails.
  std::vector<gpu::GpuInfo> reply_to(const ListGpus& request) const;
  gpu::Sensors reply_to(const ReadSensors& request) const;
  PlanResult reply_to(const RunPlan& request);
  CallableOutputs reply_to(const RunCallable& request);
  ProblemReady reply_to(SelectProblem& request);
  TrialReply reply_to(const Trial& request);
  RoundsReply reply_to(const Rounds& request);
  StepsReply reply_to(const TimeSteps& request);
  gpu::Repeated reply_to(const RepeatRuns& request);
  gpu::Rates reply_to(const MeasureRates& request);
  SensorRatio reply_to(const MeasureSensorRatio& request);

 private:
  /// Throws EnvironmentFault if it cannot be opened.
  void open(int index);
  /// The same, and makes a timer with that support program.
  void open(int index, const CompiledProgram& support);
  using PlacedBuffers = std::map<std::string, gpu::PlacedMemory>;
  /// Runs a plan in these buffers.
  PlanResult run_once(const RunPlan& request, const PlacedBuffers& memory);
  /// The selected problem; throws std::logic_error if none is selected.
  gpu::ProblemOnGpu& problem();

  const std::vector<Callable>& callables_;
  std::unique_ptr<gpu::Gpu> gpu_;
  std::optional<gpu::ModuleCache> modules_;  ///< of the GPU
  CompiledProgram support_;
  std::unique_ptr<gpu::GpuTimer> timer_;
  std::unique_ptr<gpu::ProblemOnGpu> problem_;
};

}  // namespace warpwright::worker
