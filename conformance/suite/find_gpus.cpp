// Asking a worker for the GPUs, and choosing those of the target.
#include "conformance/suite/find_gpus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "kernels/runtime/client/gpu_choice.hpp"
#include "kernels/runtime/client/gpu_client.hpp"

namespace warpwright::conformance {
namespace {

/// The GPUs of a target. Throws std::runtime_error if there is none, naming a target that needs no GPU.
std::vector<GpuTarget> chosen_gpus(const std::string& target, const worker::GpuChoice& choice, const Stop& stop) {
  const std::string instead = target == "native" ? host_target() : "host/" + target;
  std::vector<std::string> others;
  std::string error;
  try {
    worker::Process process(stop);
    std::vector<gpu::GpuInfo> found;
    for (gpu::GpuInfo& info : worker::list_gpus(process)) {
      if (info.device.arch() == target || target == "native")
        found.push_back(std::move(info));
      else
        others.push_back(fmt::format("{} ({})", info.device.arch(), info.device.model));
    }
    std::vector<GpuTarget> chosen;
    for (const gpu::GpuInfo& info : choice.among(std::move(found), target)) {
      if (chosen.empty() || info.device.arch() == chosen.front().device.arch())
        chosen.push_back({.device = info.device, .index = info.index});
      else
        fmt::print(stderr,
                   "conform: GPU {} is left out: it is {}, and a run uses GPUs of one architecture ({}); start "
                   "another run for it\n",
                   info.index, info.device.arch(), chosen.front().device.arch());
    }
    if (!chosen.empty()) return chosen;
    error = fmt::format("this machine has no {} GPU; it has {}", target, fmt::join(others, ", "));
  } catch (const std::runtime_error& none) {
    error = none.what();
  }
  throw std::runtime_error(
      fmt::format("{}\nwithout a GPU: --target {} checks in the simulator, as conform does where no --target is given",
                  error, instead));
}

}  // namespace

std::vector<GpuTarget> find_gpus(worker::BuildService& build, const std::string& target, const std::string& devices) {
  const worker::GpuChoice choice(devices);
  try {
    const worker::Toolchain& tools = build.compiler.toolchain();
    const std::string& missing = is_host(target) ? tools.host_error : tools.nvrtc_error;
    if (!missing.empty()) throw std::runtime_error(missing);
    if (!is_host(target)) return chosen_gpus(target, choice, build.stop);
  } catch (const Stopped&) {
    // The next request to the service throws Stopped.
  }
  return {};
}

}  // namespace warpwright::conformance
