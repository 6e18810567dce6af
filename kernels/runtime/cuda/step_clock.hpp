// Times the steps of one run of a plan: by events in their streams, and by the host's clock for host steps.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "kernels/runtime/cuda/gpu_context.hpp"
#include "kernels/runtime/messages/step_times.hpp"

namespace warpwright::gpu {

class StepClock {
 public:
  explicit StepClock(const Gpu& gpu) : gpu_(gpu) {}
  ~StepClock();
  StepClock(const StepClock&) = delete;
  StepClock& operator=(const StepClock&) = delete;

  /// Begins a run, and forgets the one before. With host steps, the device must be idle: the host waits for the first
  /// event, so that both clocks start together.
  void start(bool has_host_steps);
  /// An execution of the step of that number begins and ends; a null stream stands for the host.
  void begin(std::size_t step, CUstream stream);
  void end(CUstream stream);

  /// Fills in the times of the run; the device must be idle.
  std::vector<StepTime> times(std::vector<StepTime> steps) const;

 private:
  using HostClock = std::chrono::steady_clock;
  struct Moment {
    CUevent event = nullptr;  ///< null: on the host
    HostClock::time_point time = {};
  };
  struct Execution {
    std::size_t step = 0;
    Moment begin = {}, end = {};
  };

  Moment now(CUstream stream);
  double since_start(const Moment& moment) const;

  const Gpu& gpu_;
  std::vector<CUevent> events_;  ///< reused in later runs
  std::size_t used_ = 0;         ///< number of these in use
  Moment start_;
  HostClock::time_point host_start_;
  std::vector<Execution> executions_;
};

}  // namespace warpwright::gpu
