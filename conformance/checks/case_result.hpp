// The result of checking a case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/verdict.hpp"
#include "kernels/model/accuracy.hpp"
#include "kernels/runtime/simulator/results/execution.hpp"

namespace warpwright::conformance {

/// A finding that the simulator tolerated.
struct Tolerated {
  StrictRule rule = StrictRule::same_value_stores;
  std::string location;  ///< file and line, of both sides
  std::string text;
  simulator::Finding found = {};
};

struct CaseResult {
  Verdict verdict = Verdict::passed;
  std::optional<FindingKind> finding = std::nullopt;       ///< kind of the simulator's first finding
  std::optional<simulator::Finding> found = std::nullopt;  ///< that finding
  std::string detail = {};
  double error_ratio = 0;                           ///< error / bound
  Accuracy accuracy = {};                           ///< of the outputs
  std::uint64_t steps = 0;                          ///< simulator: checked accesses and waits
  std::uint64_t blocks = 0;                         ///< simulator: basic blocks that threads began
  std::uint64_t threads = 0;                        ///< simulator: CUDA threads run
  std::vector<Tolerated> tolerated = {};            ///< each rule and location once
  std::vector<simulator::Finding> arithmetic = {};  ///< see Execution; each line once
  std::vector<simulator::Finding> exchanged = {};   ///< see Execution
  std::uint64_t explored = 0;                       ///< executions of a check of all schedules
  bool is_exhausted = false;                        ///< these are all that differ
  double seconds = 0;                               ///< of the simulator, without compiling
  double of_limit = 0;                              ///< the largest part of its limit of accesses that a run used
  bool ok() const { return verdict == Verdict::passed; }
  /// Nothing is wrong. Outputs that should be zero everywhere were poisoned before, so they were written; and what the
  /// simulator does not model counts as neither right nor wrong.
  bool is_right() const { return ok() || verdict == Verdict::mistrusted || verdict == Verdict::not_modelled; }
};

/// The memory accesses of a run in the simulator.
struct CountedAccess {
  simulator::AccessCounts counts;
  std::vector<simulator::AccessCounts> launches;  ///< of each launch step of the plan, as launches_of lists them
  std::vector<std::uint64_t> launch_threads;      ///< likewise, CUDA threads
  std::vector<std::vector<simulator::AtomicCounts>> launch_atomics;  ///< likewise, by buffer of the plan
  std::vector<simulator::LineAccess> lines;
  std::uint64_t threads = 0;
};

}  // namespace warpwright::conformance
