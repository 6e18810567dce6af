// `conform` without another command: runs stored counterexamples, then the suite; prints and records the results, and
// writes JUnit and SARIF.
#pragma once

#include <string>
#include <vector>

#include "conformance/checks/case_runner.hpp"
#include "conformance/program/suite_output.hpp"
#include "conformance/suite/suite.hpp"
#include "db/store/store.hpp"
#include "kernels/job/jobs.hpp"
#include "kernels/runtime/build/build_service.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {

struct SuiteCommand {
  SuiteOptions suite = {};     ///< `stop` and `came` are filled in by run_suite_command
  std::string command = {};    ///< command line, to be recorded
  db::Store* store = nullptr;  ///< records the run and supplies stored counterexamples; may be null
  std::string junit = {};      ///< file for a JUnit report; empty: none
  std::string sarif = {};      ///< file for a SARIF report of failures; empty: none
  FailOn fail_on = {};
  std::vector<job::RefusedJob> refused = {};  ///< not among the kernels
  bool verbose = false;
  Form form = Form::text;  ///< form of the output; CSV and JSON are printed only at the end
};

/// A run is clean if all counts are 0 and nothing was refused; a kernel that did not run has not passed.
struct SuiteSummary {
  int failures = 0;                         ///< kernels and stored counterexamples that failed
  int not_run = 0;                          ///< kernels and stored counterexamples left when the run ended
  std::vector<std::string> asked_for = {};  ///< kernels whose only failures are those that `fail_on` asks for
  std::vector<job::RefusedJob> refused = {};
  std::vector<std::string> not_compiled = {};  ///< files of jobs whose kernel does not compile; among the failures
};

/// Runs kernels of the catalogue, compiled by `build`; ends when its stop is set. A job whose oracle does not compile
/// is refused; throws std::invalid_argument with the compiler's output if no kernel is left then.
SuiteSummary run_suite_command(const Catalogue& catalogue, worker::BuildService& build, SuiteCommand mode);

/// Checks one case with a worker of its own, on the first GPU if there is one. Throws Stopped if the stop comes first.
CaseResult check_one(const Catalogue& catalogue, worker::BuildService& build, const std::vector<GpuTarget>& gpus,
                     const Case& test, bool strict);

/// Number of cases of each kernel, by full name, in the newest run on that target that had the kernel.
std::map<std::string, std::int64_t> came_before(const db::Store& store, const std::string& target);

/// How far each kernel got, in the format of ConformanceRun.
std::string progress_json(const std::vector<PropertyReport>& properties);

}  // namespace warpwright::conformance
