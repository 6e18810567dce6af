// Cases that failed, in the database: stored with the line that reproduces them, and run again first by every later
// run.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "db/store/store.hpp"

namespace warpwright::conformance {

/// "; reproduce: conform --repro '...'", behind the detail of a failure; of a job's kernel with the file that it was
/// given by.
std::string repro_hint(const Case& test);

void store_counterexample(db::Store& store, const Case& test, const std::string& detail);

/// A stored counterexample that was to be run again; without a result where it is no case of this program any more, or
/// where the run ended before it.
struct Replay {
  db::Counterexample stored;
  std::optional<CaseResult> result;
  std::optional<Case> test = {};  ///< where there is a result
  std::string obsolete;           ///< why it is no case any more

  bool failed() const { return result && !result->is_right(); }
  bool not_run() const { return !result && obsolete.empty(); }
};

/// Runs again what failed before on this target, and notes in the store what became of it. `say` gets a line on each.
/// What is left when `stop` comes, or `check` throws Stopped, is not run.
std::vector<Replay> replay_counterexamples(db::Store& store, const Catalogue& catalogue, const std::string& glob,
                                           const std::string& target,
                                           const std::function<CaseResult(const Case&)>& check,
                                           const std::function<void(const std::string& line)>& say,
                                           const std::atomic<bool>& stop);

}  // namespace warpwright::conformance
