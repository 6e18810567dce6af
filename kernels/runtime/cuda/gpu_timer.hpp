// Times the steps of a plan with a clean cold L2 cache, behind a blocking kernel that hides launch latency.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/runtime/cuda/gpu_context.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"
#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::gpu {

class GpuTimer {
 public:
  GpuTimer(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules);
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;

  /// One sample of the work that `enqueue` puts into the stream. `prepare` runs before it and is not timed. Repeats a
  /// bounded number of times if the blocking kernel ran out of time first, then throws std::runtime_error.
  Sample time(const std::function<void()>& prepare, const std::function<void()>& enqueue, Clock clock = Clock::events);

  /// Writes four times the L2, then reads as much other memory.
  void flush_l2();

 private:
  void launch(CUfunction function, unsigned blocks, unsigned threads, std::vector<void*> arguments) const;
  double time_with_events(const std::function<void()>& enqueue);
  double time_on_host(const std::function<void()>& enqueue);

  const Gpu& gpu_;
  CUfunction block_stream_ = nullptr, flush_write_ = nullptr, flush_read_ = nullptr;
  CUevent begin_ = nullptr, end_ = nullptr;
  Memory dirty_, clean_, sink_;
  volatile int* release_ = nullptr;
  CUdeviceptr release_on_device_ = 0;
};

/// `bytes` is the size of the array that is copied or read; results are medians of `samples` samples.
Rates measure_rates(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules, GpuTimer& timer,
                    std::int64_t bytes, int samples);

/// The rates of copies from and to pinned memory, one direction at a time; medians of `samples` samples of `bytes`,
/// 16 MiB at least and 512 MiB at most.
BusRates measure_bus(const Gpu& gpu, GpuTimer& timer, std::int64_t bytes, int samples);

/// Time of a kernel divided by the time of a kernel with half its work: 2 if the clock can be trusted.
double measure_sensor_ratio(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules, GpuTimer& timer);

}  // namespace warpwright::gpu
