// Finding out what the machine has for a target.
#include "conformance/bench.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "kernels/runtime/worker/gpu_client.hpp"

namespace warpwright::conformance {
namespace {

/// The GPU that the target names; throws std::runtime_error where there is none, with the target that needs none.
Checker::GpuTarget find_gpu(const std::string& target, const Stop& stop) {
  const std::string instead = target == "native" ? host_target() : "host/" + target;
  std::vector<std::string> found;
  std::string error;
  try {
    worker::Process process(stop);
    for (const gpu::GpuInfo& info : worker::list_gpus(process)) {
      if (info.device.arch() == target || target == "native") return {.device = info.device, .index = info.index};
      found.push_back(fmt::format("{} ({})", info.device.arch(), info.device.model));
    }
    error = fmt::format("this machine has no {} GPU; it has {}", target, fmt::join(found, ", "));
  } catch (const std::runtime_error& none) {
    error = none.what();
  }
  throw std::runtime_error(
      fmt::format("{}\n--target {} would do: the CPU stands in for that GPU, and needs none", error, instead));
}

}  // namespace

Bench::Bench(const Catalogue& catalogue, const std::string& cache_folder, const std::string& target, const Stop& when)
    : stop(when),
      cache(cache_folder.empty() ? DiskCache::default_folder() : std::filesystem::path(cache_folder)),
      pool(0, when),
      compiler(pool, cache, catalogue.sources()) {
  try {
    const worker::Toolchain& tools = compiler.toolchain();
    const std::string& missing = is_host(target) ? tools.host_error : tools.nvrtc_error;
    if (!missing.empty()) throw std::runtime_error(missing);
    if (!is_host(target)) gpu = find_gpu(target, stop);
  } catch (const Stopped&) {
    // Whoever asks this bench for something hears of it.
  }
}

CaseResult Bench::check_one(const Catalogue& catalogue, const Case& test, bool strict) {
  worker::Process process(stop);
  Checker checker(catalogue, process, compiler, Checker::Compile::when_needed, gpu);
  checker.set_strict(strict);
  checker.set_in_words(true);
  return checker.check(test);
}

}  // namespace warpwright::conformance
