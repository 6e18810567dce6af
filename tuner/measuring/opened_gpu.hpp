// An open GPU of this computer, ready for measuring: its lock, its worker, its session in the database.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/system/command_line.hpp"
#include "kernels/system/say.hpp"
#include "tuner/cost_model/speed_of_light.hpp"
#include "tuner/measuring/gpu_lock.hpp"
#include "tuner/measuring/gpu_thread.hpp"
#include "tuner/measuring/worker_gpu.hpp"

namespace warpwright::tuner {

/// Made by the thread that uses it, since the worker ends with that thread.
class OpenedGpu {
 public:
  /// Throws std::runtime_error if another run of tune uses the GPU, or its clock cannot be trusted.
  OpenedGpu(const gpu::GpuInfo& info, const CompiledProgram& support, const std::filesystem::path& program)
      : lock_(info.uuid),
        client_(info, support, program, {.asked = &program::interrupted()}),
        watch_([this] { return client_.sensors(); },
               [index = info.index](const std::string& warning) {
                 program::say(fmt::format("tune: warning: GPU {}: {}; times may suffer", index, warning));
               }) {
    at_start_ = client_.sensors();
    const double ratio = client_.sensor_ratio();
    if (!check_sensor(1, ratio).passed)
      throw std::runtime_error(
          fmt::format("the clock of this GPU cannot be trusted: twice the work took {:.2f} times "
                      "as long. Is another process using it? See nvidia-smi",
                      ratio));
    watch_.warnings_now();
  }

  /// Throws std::runtime_error without one.
  void require_energy_counter() const {
    if (at_start_.counts_energy) return;
    const gpu::GpuInfo& info = client_.info();
    throw std::runtime_error(fmt::format(
        "no energy counter: NVML reads none of GPU {} ({}). Leave out --objective, or name another GPU with --devices",
        info.index, info.device.model));
  }

  /// Begins its session. The caller must have locked `store_mutex`; all GPUs of a run share both mutexes.
  GpuThread& begin(const TuningContext& context, db::Store& store, std::mutex& store_mutex, std::mutex& bus,
                   db::Environment environment, db::Session session) {
    const gpu::GpuInfo& info = client_.info();
    environment.gpu_uuid = info.uuid;
    environment.driver = at_start_.driver.empty() ? info.driver_version : at_start_.driver;
    environment.cuda = info.driver_version;
    environment.ecc = info.ecc;
    session.sm_clock_mhz = at_start_.sm_clock_mhz;
    session.power_w = at_start_.power_w;
    session.temperature_c = at_start_.temperature_c;
    session.warnings = watch_.seen();
    recorder_.emplace(store, context.catalogue, info.device, "device", environment, session);
    writer_.emplace(store_mutex, *recorder_);
    gpu_.emplace(context, client_, bus);
    return thread_.emplace(*gpu_, *writer_, watch_);
  }

  /// Ends its session, if it was begun; the caller must have locked `store_mutex`.
  void end(std::string_view how) {
    if (!recorder_) return;
    db::Session seen = recorder_->session();
    seen.warnings = watch_.seen();
    recorder_->update_session(seen);
    recorder_->end(how);
  }

 private:
  const GpuLock lock_;
  worker::GpuClient client_;
  GpuWatch watch_;
  gpu::Sensors at_start_;
  std::optional<Recorder> recorder_;
  std::optional<TrialWriter> writer_;
  std::optional<WorkerGpu> gpu_;
  std::optional<GpuThread> thread_;
};

}  // namespace warpwright::tuner
