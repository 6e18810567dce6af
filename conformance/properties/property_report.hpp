// What the cases of a property showed.
#pragma once

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/cases/case.hpp"
#include "conformance/checks/audit.hpp"
#include "conformance/checks/case_result.hpp"
#include "conformance/properties/shapes.hpp"

namespace warpwright::conformance {

/// Statistics of shrinking.
struct ShrinkingReport {
  int tries = 0;
  double seconds = 0;
  bool out_of_time = false;  ///< stopped before all simpler cases were tried
};

/// A finding that the simulator tolerated, and in how many cases.
struct CountedTolerated {
  Tolerated finding;
  int cases = 0;
  std::optional<Case> first = std::nullopt;  ///< of these cases
};

/// Arithmetic that C++ does not define (see Execution), as the first case had it, and in how many cases.
struct CountedArithmetic {
  simulator::Finding found;
  int cases = 0;
};

struct PropertyReport {
  const Kernel* kernel = nullptr;
  int cases = 0;
  int refused = 0;      ///< drawn, but the configuration does not exist or the kernel refuses the problem
  std::string skipped;  ///< why no drawn case fits the kernel; empty if one did
  std::string fault;    ///< why no case can be drawn: see fault_of_default
  int mistrusted = 0;
  int unmodelled = 0;        ///< cases with an operation that the simulator does not model
  std::string not_modelled;  ///< that operation; empty if no case had one
  std::optional<simulator::Finding> not_modelled_at = {};  ///< its location, if known
  int too_much = 0;           ///< cases that were stopped at their limit, and may only be long
  std::string too_much_work;  ///< how the last of them was stopped
  double worst_error_ratio = 0;
  std::uint64_t steps = 0, threads = 0;
  std::optional<double> accesses_per_step = {};  ///< see PropertyOptions; for later runs of the property
  double seconds = 0;
  bool interrupted = false;            ///< ended before all its cases had run
  std::optional<Case> counterexample;  ///< after shrinking
  std::optional<Case> first_failure;   ///< as drawn
  CaseResult failure;                  ///< result of the counterexample
  ShrinkingReport shrinking = {};
  CappedEdges capped = {};
  int too_long = 0;  ///< large cases skipped because they would take too long
  int left_out = 0;  ///< cases of a user's kernel that are as large as one that took long
  /// The work of the smallest case of a user's kernel that took long.
  double least_long = std::numeric_limits<double>::infinity();
  std::vector<CountedTolerated> tolerated = {};
  std::vector<CountedArithmetic> arithmetic = {};
  std::uint64_t exhausted = 0;             ///< executions of a case of which all schedules were run; 0: of none
  std::vector<std::string> explored = {};  ///< cases of which all schedules were run, or many
  std::vector<std::string> sampled = {};   ///< what was checked of shapes that are too large to run, or why nothing was
  std::vector<std::string> overflows = {};  ///< signed ones that only shapes have that are too large to run
  std::vector<std::string> caveats = {};    ///< limits of the pattern's checks
  std::set<std::string> launched = {};      ///< functions that cases launched; of a job with template arguments
  std::set<std::string> tuned = {};         ///< those that the default configuration launches for tuned problems
  Audit audit = {};

  bool ok() const { return !counterexample; }
  /// The verdict of the counterexample. Without one: not run (no case, and no reason for that), skipped, not modelled,
  /// or passed.
  Verdict verdict() const;
  /// How many cases were stopped at their limit.
  std::string words_of_too_much() const;
  int checked() const { return cases - unmodelled - too_much; }
  /// What weakens the verdict that nothing is wrong: the caveats, and what the audit found.
  std::vector<std::string> warnings() const;
  void add(const CountedTolerated& counted);
  void add(const simulator::Finding& arithmetic_of, int in_cases);
  /// Adds the result of a case. Returns whether it failed.
  bool add(const Case& test, const CaseResult& result);
  void fail(const Case& test, const CaseResult& result);
  /// Adds the results of other cases of the same kernel.
  void add(PropertyReport more);
};

/// The tolerances that the kernel declares but that no case needed; nothing if cases are missing.
std::vector<ToleratedRule> unneeded_rules(const PropertyReport& report);

}  // namespace warpwright::conformance
