// The management library, opened at run time. Its few functions and structures are declared here, because some toolkits
// lack nvml.h.
#include "kernels/runtime/cuda/nvml.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/system/shared_library.hpp"

namespace warpwright::gpu {
namespace {

using Handle = void*;
struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

constexpr int kSuccess = 0;
constexpr int kTemperatureOfGpu = 0;
constexpr int kClockOfSm = 1;
constexpr unsigned kDriverVersionSize = 80;

// Reasons of nvmlDeviceGetCurrentClocksEventReasons that slow a kernel down.
constexpr std::array<std::pair<unsigned long long, const char*>, 5> kReasons{{{0x04, "power cap"},
                                                                              {0x08, "hardware slowdown"},
                                                                              {0x20, "thermal limit"},
                                                                              {0x40, "hardware thermal slowdown"},
                                                                              {0x80, "power brake"}}};

struct Nvml {
  SharedLibrary library{{"libnvidia-ml.so.1", "/usr/local/nvidia/lib64/libnvidia-ml.so.1"}, "no NVML"};
  int (*init)();
  int (*system_driver_version)(char*, unsigned);
  int (*handle_by_uuid)(const char*, Handle*);
  int (*power)(Handle, unsigned*);
  int (*energy)(Handle, unsigned long long*);
  int (*temperature)(Handle, int, unsigned*);
  int (*clock)(Handle, int, unsigned*);
  int (*reasons)(Handle, unsigned long long*);
  int (*processes)(Handle, unsigned*, ProcessInfo*);

  Nvml() {
    library.load(init, "nvmlInit_v2");
    library.load(system_driver_version, "nvmlSystemGetDriverVersion");
    library.load(handle_by_uuid, "nvmlDeviceGetHandleByUUID");
    library.load(power, "nvmlDeviceGetPowerUsage");
    library.load(energy, "nvmlDeviceGetTotalEnergyConsumption");
    library.load(temperature, "nvmlDeviceGetTemperature");
    library.load(clock, "nvmlDeviceGetClockInfo");
    library.load(reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    library.load(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    if (init() != kSuccess) throw std::runtime_error("NVML does not start");
  }
};

const Nvml* nvml() {
  static const std::unique_ptr<const Nvml> opened = []() -> std::unique_ptr<const Nvml> {
    try {
      return std::make_unique<const Nvml>();
    } catch (const std::runtime_error&) {
      return nullptr;
    }
  }();
  return opened.get();
}

}  // namespace

int other_processes(std::span<const unsigned> pids, unsigned own, bool computes) {
  const bool listed = std::ranges::find(pids, own) != pids.end();
  const auto count = static_cast<int>(pids.size());
  return listed || computes ? std::max(count - 1, 0) : count;
}

EnergyCounter::EnergyCounter(const std::string& uuid) {
  if (nvml() != nullptr && nvml()->handle_by_uuid(uuid.c_str(), &handle_) != kSuccess) handle_ = nullptr;
}

std::optional<double> EnergyCounter::joules() const {
  unsigned long long millijoules = 0;
  if (handle_ == nullptr || nvml()->energy(handle_, &millijoules) != kSuccess) return {};
  return static_cast<double>(millijoules) / 1e3;
}

Sensors read_sensors(const std::string& uuid, bool computes) {
  Sensors sensors;
  const Nvml* library = nvml();
  if (library == nullptr) return sensors;
  std::array<char, kDriverVersionSize> version{};
  if (library->system_driver_version(version.data(), kDriverVersionSize) == kSuccess) sensors.driver = version.data();
  Handle handle = nullptr;
  if (library->handle_by_uuid(uuid.c_str(), &handle) != kSuccess) return sensors;
  unsigned reading = 0;
  if (library->power(handle, &reading) == kSuccess) sensors.power_w = reading / 1000.0;
  if (library->temperature(handle, kTemperatureOfGpu, &reading) == kSuccess) sensors.temperature_c = reading;
  if (library->clock(handle, kClockOfSm, &reading) == kSuccess) sensors.sm_clock_mhz = reading;
  unsigned long long millijoules = 0;
  sensors.counts_energy = library->energy(handle, &millijoules) == kSuccess;
  unsigned long long reasons = 0;
  if (library->reasons(handle, &reasons) == kSuccess)
    for (const auto& [bit, words] : kReasons)
      if ((reasons & bit) != 0)
        sensors.throttle_reasons += (sensors.throttle_reasons.empty() ? "" : ", ") + std::string(words);
  std::vector<ProcessInfo> running(256);
  auto count = static_cast<unsigned>(running.size());
  if (library->processes(handle, &count, running.data()) == kSuccess) {
    std::vector<unsigned> pids;
    for (unsigned i = 0; i < count; ++i) pids.push_back(running[i].pid);
    sensors.other_processes = other_processes(pids, static_cast<unsigned>(::getpid()), computes);
  }
  return sensors;
}

}  // namespace warpwright::gpu
