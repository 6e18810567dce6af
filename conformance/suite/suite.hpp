// A conformance run over many kernels: programs compiled ahead, kernels side by side, each with a worker of its own.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/properties/property.hpp"
#include "kernels/system/stop.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {

struct SuiteOptions {
  std::vector<std::string> globs = {};  ///< of kernels; none takes all
  std::string target = host_target();
  int cases = 200;  ///< per kernel, and at most in a slice of it when there is a deadline
  std::uint64_t seed = 1;
  std::size_t points = 12;  ///< configurations prepared per kernel; 0 takes whole spaces
  double max_steps = 8192;
  bool strict = true;  ///< see Checker::set_strict
  unsigned jobs = 0;   ///< kernels side by side; 0: one per core on the host, one on each GPU
  /// Of one architecture. Where one does its work no more, the others do it.
  std::vector<Checker::GpuTarget> gpus = {};
  /// With a deadline time goes round the kernels in slices of fresh cases until then: first few for every kernel, then
  /// more, each time with new seeds.
  Stop stop = {};
  /// How far kernels came before, by their full names; those that came least far have the first slices.
  std::map<std::string, std::int64_t> came = {};
};

struct SuiteReport {
  std::vector<PropertyReport> properties;  ///< one per kernel, slices added up
  double seconds = 0;

  int cases() const;
  int count(Verdict verdict) const;  ///< kernels with it
  int failures() const;
};

/// Cases of a kernel in its slice of that number, from 0, of which none has more than `most`.
int cases_of_slice(std::size_t number, int most);

/// Calls `progress` (from several threads, one at a time) with every property that is finished. Throws what a thread
/// threw, such as std::runtime_error where a worker cannot do its work, when all have ended.
SuiteReport run_suite(const Catalogue& catalogue, worker::Compiler& compiler, const SuiteOptions& options,
                      const std::function<void(const PropertyReport&)>& progress);

}  // namespace warpwright::conformance
