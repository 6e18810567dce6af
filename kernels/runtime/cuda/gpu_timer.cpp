// Timing with events in a blocked stream.
#include "kernels/runtime/cuda/gpu_timer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "kernels/core/statistics.hpp"
#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/messages/support_program.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::gpu {
namespace {

constexpr unsigned long long kBlockTimeoutNs = 20'000'000;
constexpr int kAttempts = 5;
constexpr std::chrono::microseconds kClockWindow{50};

CUfunction function_of(const CompiledProgram& support, ModuleCache& modules, const std::string& name) {
  CUfunction function = nullptr;
  driver().check(driver().module_function(&function, modules.load(support.module),
                                          support.instances.at(support_entry(name)).symbol.c_str()),
                 "cuModuleGetFunction");
  return function;
}

}  // namespace

GpuTimer::GpuTimer(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules)
    : gpu_(gpu),
      block_stream_(function_of(support, modules, "block_stream")),
      flush_write_(function_of(support, modules, "flush_write")),
      flush_read_(function_of(support, modules, "flush_read")),
      dirty_(std::max<std::int64_t>(4 * gpu.info().device.l2_bytes, 32 << 20)),
      clean_(dirty_.bytes()),
      sink_(64) {
  driver().check(driver().create_event(&begin_, CU_EVENT_DEFAULT), "cuEventCreate");
  driver().check(driver().create_event(&end_, CU_EVENT_DEFAULT), "cuEventCreate");
  void* pinned = nullptr;
  driver().check(driver().allocate_host(&pinned, sizeof(int), CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc");
  release_ = static_cast<volatile int*>(pinned);
  driver().check(driver().device_pointer_of_host(&release_on_device_, pinned, 0), "cuMemHostGetDevicePointer");
  clean_.fill(gpu_.stream(), 0);
  // The first launch of a kernel loads it, which would wait for a blocked stream.
  *release_ = 1;
  time([] {}, [] {});
}

GpuTimer::~GpuTimer() {
  driver().destroy_event(begin_);
  driver().destroy_event(end_);
  driver().free_host(const_cast<int*>(release_));
}

void GpuTimer::launch(CUfunction function, unsigned blocks, unsigned threads, std::vector<void*> arguments) const {
  driver().check(driver().launch(function, blocks, 1, 1, threads, 1, 1, 0, gpu_.stream(), arguments.data(), nullptr),
                 "cuLaunchKernel");
}

void GpuTimer::flush_l2() {
  CUdeviceptr dirty = dirty_.address();
  CUdeviceptr clean = clean_.address();
  CUdeviceptr sink = sink_.address();
  long long vectors = dirty_.bytes() / 16;
  const auto blocks = static_cast<unsigned>(gpu_.info().device.sm_count * 8);
  launch(flush_write_, blocks, 256, {&dirty, &vectors});
  launch(flush_read_, blocks, 256, {&clean, &vectors, &sink});
}

Sample GpuTimer::time(const std::function<void()>& prepare, const std::function<void()>& enqueue, Clock clock) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    prepare();
    flush_l2();
    if (clock == Clock::host) gpu_.synchronize();
    *release_ = 0;
    CUdeviceptr clocks = sink_.address() + 16;
    unsigned long long timeout = kBlockTimeoutNs;
    launch(block_stream_, 1, 1, {&release_on_device_, &timeout, &clocks});
    const double microseconds = clock == Clock::events ? time_with_events(enqueue) : time_on_host(enqueue);
    std::array<unsigned long long, 3> seen{};
    driver().check(driver().copy_to_host(seen.data(), clocks, sizeof seen, gpu_.stream()), "cuMemcpyDtoHAsync");
    gpu_.synchronize();
    if (seen[2] != 0) continue;
    return {.microseconds = microseconds,
            .sm_clock_mhz = seen[1] == 0 ? 0 : static_cast<double>(seen[0]) * 1e3 / static_cast<double>(seen[1])};
  }
  throw EnvironmentFault(
      "queueing the timed steps took longer than the blocking kernel waits: the host is too busy to time anything");
}

double GpuTimer::time_with_events(const std::function<void()>& enqueue) {
  driver().check(driver().record_event(begin_, gpu_.stream()), "cuEventRecord");
  try {
    enqueue();
  } catch (...) {
    *release_ = 1;
    throw;
  }
  driver().check(driver().record_event(end_, gpu_.stream()), "cuEventRecord");
  *release_ = 1;
  gpu_.synchronize();
  float milliseconds = 0;
  driver().check(driver().elapsed_time(&milliseconds, begin_, end_), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e3;
}

double GpuTimer::time_on_host(const std::function<void()>& enqueue) {
  using HostClock = std::chrono::steady_clock;
  // The blocking kernel only reads the SM clock here; it needs some time for that.
  for (const auto start = HostClock::now(); HostClock::now() - start < kClockWindow;) {
  }
  *release_ = 1;
  gpu_.synchronize();
  const auto begin = HostClock::now();
  enqueue();
  gpu_.synchronize();
  return std::chrono::duration<double, std::micro>(HostClock::now() - begin).count();
}

namespace {

/// Plain kernels and copies on buffers of its own, to see what the GPU reaches.
class RateTests {
 public:
  /// Each time is the median of `samples` samples.
  RateTests(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules, GpuTimer& timer, std::int64_t bytes,
            int samples)
      : gpu_(gpu),
        support_(support),
        modules_(modules),
        timer_(timer),
        bytes_(bytes),
        samples_(samples),
        from_(bytes),
        to_(bytes),
        sink_(64) {
    from_.fill(gpu.stream(), 1);
    to_.fill(gpu.stream(), 2);
  }

  /// The highest rate of copies in memory, in GB/s read and written, of the driver and of kernels.
  double best_copy() {
    const double moved = 2 * static_cast<double>(bytes_);
    double best = rate(moved, [&] {
      driver().check(driver().copy_on_device(destination_, source_, static_cast<std::size_t>(bytes_), gpu_.stream()),
                     "cuMemcpyDtoDAsync");
    });
    for (const unsigned threads : {256U, 512U})
      for (const int per_thread : {1, 2, 4, 8}) {
        const long long per_block = static_cast<long long>(threads) * per_thread;
        best = std::max(best, rate(moved, [&] {
                          start("copy_vectors<" + std::to_string(per_thread) + ">",
                                (vectors_ + per_block - 1) / per_block, threads, {&source_, &destination_, &vectors_});
                        }));
      }
    return best;
  }

  /// The highest rate of kernels that only read memory, in GB/s.
  double best_read() {
    double best = 0;
    for (const unsigned threads : {512U, 1024U})
      for (const int blocks_per_sm : {2, 4, 8, 16})
        best = std::max(best, rate(static_cast<double>(bytes_), [&] {
                          start("flush_read", gpu_.info().device.sm_count * blocks_per_sm, threads,
                                {&source_, &vectors_, &nowhere_});
                        }));
    return best;
  }

  /// The rate of fused multiply-adds of a type, in operations per nanosecond; each counts as two.
  double arithmetic(const std::string& type, int iterations) {
    constexpr int kFmaChains = 8;  // of multiply_add
    constexpr unsigned kThreads = 256;
    const long long blocks = gpu_.info().device.sm_count * 16LL;
    return rate(2.0 * kFmaChains * iterations * kThreads * static_cast<double>(blocks), [&] {
      start("multiply_add<" + type + ">", blocks, kThreads, {&nowhere_, &iterations});
    });
  }

 private:
  /// `amount` (bytes or operations) per nanosecond of what `enqueue` starts.
  double rate(double amount, const std::function<void()>& enqueue) {
    std::vector<double> times;
    for (int i = 0; i < samples_; ++i) times.push_back(timer_.time([] {}, enqueue).microseconds);
    return amount / median(times) / 1e3;
  }

  void start(const std::string& name, long long blocks, unsigned threads, std::vector<void*> arguments) {
    driver().check(driver().launch(function_of(support_, modules_, name), static_cast<unsigned>(blocks), 1, 1, threads,
                                   1, 1, 0, gpu_.stream(), arguments.data(), nullptr),
                   "cuLaunchKernel");
  }

  const Gpu& gpu_;
  const CompiledProgram& support_;
  ModuleCache& modules_;
  GpuTimer& timer_;
  const std::int64_t bytes_;
  const int samples_;
  const Memory from_, to_, sink_;
  CUdeviceptr source_ = from_.address(), destination_ = to_.address(), nowhere_ = sink_.address();
  long long vectors_ = bytes_ / 16;
};

}  // namespace

Rates measure_rates(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules, GpuTimer& timer,
                    std::int64_t bytes, int samples) {
  RateTests tests(gpu, support, modules, timer, bytes, samples);
  Rates rates;
  rates.copy_gbs = tests.best_copy();
  rates.read_gbs = tests.best_read();
  rates.float_gflops = tests.arithmetic("float", 4096);
  rates.double_gflops = tests.arithmetic("double", 1024);
  return rates;
}

BusRates measure_bus(const Gpu& gpu, GpuTimer& timer, std::int64_t bytes, int samples) {
  // Larger copies give the same rate, and the time of smaller ones is mostly latency.
  constexpr std::int64_t kLeast = std::int64_t{1} << 24, kMost = std::int64_t{1} << 29;
  const std::int64_t size = std::clamp(bytes, kLeast, kMost);
  const PlacedMemory host(gpu, Where::pinned, size);
  const Memory device(size);
  host.fill(1);
  device.fill(gpu.stream(), 2);
  const auto rate = [&](CUdeviceptr to, CUdeviceptr from) {
    std::vector<double> times;
    for (int i = 0; i < samples; ++i)
      times.push_back(timer
                          .time([] {},
                                [&] {
                                  driver().check(driver().copy(to, from, static_cast<std::size_t>(size), gpu.stream()),
                                                 "cuMemcpyAsync");
                                })
                          .microseconds);
    return static_cast<double>(size) / median(times) / 1e3;
  };
  return {.to_device_gbs = rate(device.address(), host.address()),
          .to_host_gbs = rate(host.address(), device.address())};
}

double measure_sensor_ratio(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules, GpuTimer& timer) {
  const Memory sink(64);
  const CUfunction work = function_of(support, modules, "work");
  const auto time_of = [&](int iterations) {
    std::vector<double> times;
    for (int i = 0; i < 7; ++i)
      times.push_back(timer
                          .time([] {},
                                [&] {
                                  CUdeviceptr to = sink.address();
                                  int count = iterations;
                                  std::array<void*, 2> arguments{&to, &count};
                                  driver().check(driver().launch(work, 1, 1, 1, 32, 1, 1, 0, gpu.stream(),
                                                                 arguments.data(), nullptr),
                                                 "cuLaunchKernel");
                                })
                          .microseconds);
    return median(times);
  };
  constexpr int kIterations = 100'000;
  time_of(kIterations);
  return time_of(2 * kIterations) / time_of(kIterations);
}

}  // namespace warpwright::gpu
