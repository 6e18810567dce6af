// What cases on a target need from the environment: a compile service and GPUs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "kernels/runtime/build/disk_cache.hpp"
#include "kernels/system/stop.hpp"
#include "kernels/runtime/client/pool.hpp"

namespace warpwright::conformance {

/// Compiles programs, keeps them in a cache, and knows the GPUs that cases run on. All waiting ends when `stop` is set.
struct Bench {
  Stop stop;
  DiskCache cache;
  worker::Pool pool;
  worker::Compiler compiler;
  std::vector<Checker::GpuTarget> gpus = {};  ///< all of one architecture; none for a simulator target

  /// An empty `cache_folder` means the default one. The target is a simulator's ("host/sm_XX"), "sm_XX" or "native".
  /// `devices` selects among its GPUs, as for worker::GpuChoice; "native" is the architecture of the first one. Throws
  /// std::runtime_error with advice if the environment lacks what the target needs. If `stop` is set first, no GPU is
  /// found and nothing will run.
  Bench(const Catalogue& catalogue, const std::string& cache_folder, const std::string& target, const Stop& stop,
        const std::string& devices = "first");

  /// The first GPU, for callers that need only one.
  std::optional<Checker::GpuTarget> gpu() const { return gpus.empty() ? std::nullopt : std::optional(gpus.front()); }

  /// The name of the target that cases run on: for "native" the architecture of the GPU.
  std::string name_of(const std::string& target) const { return gpus.empty() ? target : gpus.front().device.arch(); }

  /// Throws Stopped if `stop` is set first.
  CaseResult check_one(const Catalogue& catalogue, const Case& test, bool strict = true);
};

}  // namespace warpwright::conformance
