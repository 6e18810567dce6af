// The requests of a worker that need a GPU: describe, run one plan, verify and time configurations, ceilings.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kernels/runtime/cuda/problem_on_gpu.hpp"

namespace warpwright::worker {

class GpuAnswers {
 public:
  /// `callables` are those that requests may name.
  explicit GpuAnswers(const std::vector<Callable>& callables) : callables_(callables) {}

  /// Throws std::invalid_argument for an unknown request, gpu::DriverError when the device fails.
  nlohmann::json answer(const nlohmann::json& request);

 private:
  void open(const nlohmann::json& request);
  nlohmann::json select(const nlohmann::json& request);
  /// That of the problem that was selected.
  gpu::ProblemOnGpu& session();
  nlohmann::json run(const nlohmann::json& request);
  /// One run for another tool to watch: buffers of their exact size, and only inputs and self-restoring scratch are
  /// written.
  nlohmann::json run_bare(const nlohmann::json& request);
  nlohmann::json run_callable(const nlohmann::json& request);
  nlohmann::json trial(const nlohmann::json& request);
  nlohmann::json rounds(const nlohmann::json& request);

  const std::vector<Callable>& callables_;
  std::unique_ptr<gpu::Gpu> gpu_;
  gpu::ModuleCache modules_;
  CompiledProgram support_;
  std::unique_ptr<gpu::GpuTimer> timer_;
  std::unique_ptr<gpu::ProblemOnGpu> session_;
};

}  // namespace warpwright::worker
