// A conformance run over many kernels: programs compiled ahead, kernels side by side, each with a worker of its own.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "conformance/property.hpp"
#include "kernels/runtime/worker/compiler.hpp"

namespace warpwright::conformance {

struct SuiteOptions {
  std::vector<std::string> globs = {};  ///< of kernels; none takes all
  std::string target = host_target();
  int cases = 200;     ///< per kernel, and per round when there is a time limit
  double minutes = 0;  ///< 0: one round of `cases`; else rounds with new seeds until the time is over
  std::uint64_t seed = 1;
  std::size_t points = 12;  ///< configurations prepared per kernel; 0 takes whole spaces
  double max_steps = 8192;
  unsigned jobs = 0;  ///< kernels side by side; 0: one per core on the host, one on a GPU
  std::optional<Checker::GpuTarget> gpu = std::nullopt;
  const std::atomic<bool>* stop = nullptr;
};

struct SuiteReport {
  std::vector<PropertyReport> properties;  ///< one per kernel, rounds added up
  double seconds = 0;
  bool interrupted = false;

  int cases() const;
  int failures() const;
  int not_judged() const;  ///< kernels with a case that is not judged
};

/// Calls `progress` (from several threads, one at a time) with every property that is finished. Throws what a thread
/// threw, such as std::runtime_error where a worker cannot do its work, when all have ended.
SuiteReport run_suite(const Catalogue& catalogue, worker::Compiler& compiler, const SuiteOptions& options,
                      const std::function<void(const PropertyReport&)>& progress);

}  // namespace warpwright::conformance
