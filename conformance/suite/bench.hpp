// What runs of cases on a target need of the machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "kernels/runtime/build/disk_cache.hpp"
#include "kernels/system/stop.hpp"
#include "kernels/runtime/client/pool.hpp"

namespace warpwright::conformance {

/// Where programs are compiled and kept, and the GPU that cases run on; what waits in it obeys `stop`.
struct Bench {
  Stop stop;
  DiskCache cache;
  worker::Pool pool;
  worker::Compiler compiler;
  std::vector<Checker::GpuTarget> gpus = {};  ///< of one architecture; none for a host target

  /// An empty `cache_folder` is the default one; the target is a host target, "sm_XX" or "native", whose GPUs `devices`
  /// chooses from, as worker::GpuChoice does; "native" is the architecture of the first of them. Throws
  /// std::runtime_error that says what would do when the machine lacks what the target needs. Where the stop comes
  /// first nothing is known of the machine, and nothing will run.
  Bench(const Catalogue& catalogue, const std::string& cache_folder, const std::string& target, const Stop& stop,
        const std::string& devices = "first");

  /// Where one is enough.
  std::optional<Checker::GpuTarget> gpu() const { return gpus.empty() ? std::nullopt : std::optional(gpus.front()); }

  /// The name of what cases run on: that of the GPU for "native".
  std::string name_of(const std::string& target) const { return gpus.empty() ? target : gpus.front().device.arch(); }

  /// Throws Stopped when the stop comes first.
  CaseResult check_one(const Catalogue& catalogue, const Case& test, bool strict = true);
};

}  // namespace warpwright::conformance
