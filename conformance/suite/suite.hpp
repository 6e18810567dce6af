// A conformance run over many kernels: programs are compiled ahead, and kernels run in parallel, each in its own
// worker.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/checks/case_runner.hpp"
#include "conformance/properties/property.hpp"
#include "kernels/runtime/build/compiler.hpp"
#include "kernels/system/stop.hpp"

namespace warpwright::conformance {

struct SuiteOptions {
  std::vector<std::string> globs = {};  ///< of kernels; none means all
  std::string target = host_target();
  int cases = 200;  ///< per kernel; with a deadline, the most in one slice
  std::uint64_t seed = 1;
  std::size_t points = 12;  ///< configurations per kernel; 0 means the whole space
  double max_steps = 8192;
  /// Also check blocks of the shapes that are tuned. Those of a job's kernels are checked in any case.
  bool samples_tuned_shapes = false;
  /// A kernel of a job that passes in less gets more cases, with new seeds, until then. Not with a deadline.
  std::chrono::duration<double> least{0};
  bool strict = true;  ///< see CheckerOptions
  unsigned jobs = 0;   ///< kernels in parallel; 0: one per core for the simulator, one on each GPU
  /// All of one architecture. If one fails, the others take over its work.
  std::vector<GpuTarget> gpus = {};
  /// With a deadline, kernels take turns in slices of new cases until then: first a few cases for every kernel, then
  /// more, with new seeds in each slice.
  Stop stop = {};
  /// Cases of each kernel in earlier runs, by full name. The kernels with the fewest cases have the first slices.
  std::map<std::string, std::int64_t> came = {};
};

struct SuiteReport {
  std::vector<PropertyReport> properties;  ///< one per kernel, summed over its slices
  double seconds = 0;

  int cases() const;
  int count(Verdict verdict) const;  ///< number of kernels with this verdict
  int failures() const;
};

/// Number of cases in a kernel's slice, which are numbered from 0; at most `most`.
int cases_of_slice(std::size_t number, int most);

/// Calls `progress` with every property that is finished, or that a faulty default keeps from running, from several
/// threads but one at a time. If a thread throws (for instance std::runtime_error because a worker fails), all threads
/// end and the exception is rethrown.
SuiteReport run_suite(const Catalogue& catalogue, worker::Compiler& compiler, const SuiteOptions& options,
                      const std::function<void(const PropertyReport&)>& progress);

}  // namespace warpwright::conformance
