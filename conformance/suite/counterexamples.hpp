// Failed cases in the database: stored with their repro lines, and run first by every later run.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/case.hpp"
#include "conformance/checks/case_result.hpp"
#include "db/store/store.hpp"

namespace warpwright::conformance {

/// Text to append to a failure: "; reproduce: conform --repro '...'". For a kernel from a job file it names that file.
std::string repro_hint(const Case& test);

void store_counterexample(db::Store& store, const Case& test, const std::string& detail);

/// A stored counterexample to run again. It has no result if this program has no such case any more, or if the run
/// ended before it.
struct Replay {
  db::Counterexample stored;
  std::optional<CaseResult> result;
  std::optional<Case> test = {};  ///< present if there is a result
  std::string obsolete;           ///< why this program has no such case any more

  bool failed() const { return result && !result->is_right(); }
  bool not_run() const { return !result && obsolete.empty(); }
};

/// Runs the stored counterexamples of this target again, and stores the results. Calls `say` with one line for each.
/// Those that remain when `stop` is set, or `check` throws Stopped, are not run.
/// `store_mutex`, if there is one, is locked while the store is used.
std::vector<Replay> replay_counterexamples(db::Store& store, const Catalogue& catalogue, const std::string& glob,
                                           const std::string& target,
                                           const std::function<CaseResult(const Case&)>& check,
                                           const std::function<void(const std::string& line)>& say,
                                           const std::atomic<bool>& stop, std::mutex* store_mutex = nullptr);

}  // namespace warpwright::conformance
