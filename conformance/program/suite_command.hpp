// `conform` without another mode: stored counterexamples first, then the suite; printed, recorded, and as JUnit and
// SARIF.
#pragma once

#include <string>
#include <vector>

#include "conformance/program/suite_output.hpp"
#include "conformance/suite/bench.hpp"
#include "conformance/suite/suite.hpp"
#include "db/store/store.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {

struct SuiteCommand {
  SuiteOptions suite = {};     ///< its `gpus`, `stop` and `came` are filled in here
  std::string command = {};    ///< for the record
  db::Store* store = nullptr;  ///< the run is recorded here, and begins with what is stored; may be null
  std::string junit = {};      ///< a report for CI systems goes to this file; empty: none
  std::string sarif = {};      ///< likewise, of what is wrong, for code scanning
  FailOn fail_on = {};
  bool verbose = false;
  Form form = Form::text;  ///< of what is printed; CSV and JSON are printed at the end, and alone
};

/// Nothing that did not run is passed: a run is clean when all are 0.
struct SuiteSummary {
  int failures = 0;   ///< kernels and stored cases
  int not_run = 0;    ///< likewise, those that the end of the run came before
  int asked_for = 0;  ///< kernels with nothing wrong but what `fail_on` makes so
};

/// Runs kernels of the catalogue on the bench, and ends with it.
SuiteSummary run_suite_mode(const Catalogue& catalogue, Bench& bench, SuiteCommand mode);

/// How far each kernel came in the newest run on that target that had it: cases by full name.
std::map<std::string, std::int64_t> came_before(const db::Store& store, const std::string& target);

/// How far each kernel came, as ConformanceRun holds it.
std::string progress_json(const std::vector<PropertyReport>& properties);

}  // namespace warpwright::conformance
