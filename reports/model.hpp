// The model that a report shows, read from one database: for each architecture its problems and boards, with their
// trials.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/maintenance/check.hpp"
#include "db/query/ceiling.hpp"
#include "db/query/cross_board.hpp"
#include "db/query/query.hpp"
#include "db/store/store.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::reports {

// The newest trial with a decided verdict of a configuration on a problem and board.
struct Row {
  const db::TrialView* view = nullptr;
  const db::Access* access = nullptr;         // over all launches; null if the simulator counted nothing
  std::vector<const db::Access*> launches{};  // per launch, if counted so
  std::vector<std::pair<std::string, std::string>> params{};  // axis and value (or its label)

  const db::Trial& trial() const { return view->trial; }
  // "passed", or for a prediction "passed, 1 case".
  std::string verdict() const;
};

// A problem on a board model. Times are compared only within one.
struct Contest {
  db::Problem problem{};
  db::Board board{};
  std::vector<db::TrialView> trials{};  // all trials, oldest first
  std::vector<Row> rows{};              // sorted by kernel and params
  std::vector<db::Baseline> baselines{};
  std::vector<db::Comparison> comparisons{};
  std::optional<db::Best> best{};
  std::vector<db::Best> kernel_bests{};                  // the best of each kernel, slowest first
  std::map<db::Id, std::vector<db::Launch>> launches{};  // launches of the winners in kernel_bests, by trial
  // What charts show: "measured" if anything correct was measured, else "predicted", else "imported".
  std::string provenance{};
  std::string mode{};                    // the newest mode of that provenance; times of other modes are not compared
  std::optional<db::Ceiling> ceiling{};  // what the best time is compared with; absent if not known

  // Not copyable, because rows point into `trials`; move only.
  Contest() = default;
  Contest(Contest&&) = default;
  Contest& operator=(Contest&&) = default;
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  // Problem name without its shape: "reduce op=sum,data=uniform float".
  std::string name() const;
  // Problem name with its shape: "reduce op=sum,data=uniform float 67108864".
  std::string title() const;
  // For ids in the HTML page.
  std::string id() const;
  bool measured() const;
  bool imported() const { return provenance == provenance::imported; }
  // Whether its data must cross the bus, whose rate is then the ceiling.
  bool crosses_bus() const { return problem.bus_to_device + problem.bus_to_host > 0; }
  // Bytes that every solution must move: through memory, or over the bus in the busier direction. 0 if not known.
  double bytes() const;
  // The rate of a time in GB/s; nothing if the bytes are not known.
  std::optional<double> rate_gbs(std::optional<double> us) const;
  std::optional<double> share_of_ceiling(std::optional<double> us) const;
  // Whether the charts compare this trial's time.
  bool compares(const db::TrialView& view) const;
  // Whether a predicted time is in the band of the best: the model cannot tell the times in a band apart.
  bool in_band(const db::TrialView& view) const;
};

struct Architecture {
  std::string name{};  // "sm_90"
  std::vector<Contest> contests{};
  std::vector<db::Session> sessions{};  // sessions that tuned for this architecture, oldest first

  bool measured() const;  // whether anything was measured
  // Whether everything was imported.
  bool imported() const { return !contests.empty() && std::ranges::all_of(contests, &Contest::imported); }
};

struct Report {
  std::string file{};
  std::vector<Architecture> architectures{};
  std::map<db::Id, db::Session> sessions{};
  std::map<db::Id, db::Environment> environments{};
  std::vector<db::ConformanceRun> runs{};
  std::vector<db::Counterexample> counterexamples{};
  std::vector<db::Mutant> mutants{};
  std::vector<db::CrossBoard> across{};   // problems timed on several boards
  std::vector<db::AlteredRow> altered{};  // rows that were changed from outside the programs
  // Access counts per launch, and their sums over the launches. Rows point into both.
  std::vector<db::Access> accesses{};
  std::vector<db::Access> totals{};

  Report() = default;
  Report(Report&&) = default;
  Report& operator=(Report&&) = default;
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
};

// Reads everything, or only one architecture if `arch` is given.
Report read_report(const db::Store&, const std::string& arch = "");

// Whether a trial has a time and its configuration may be used: it passed, or it is a prediction that was not checked.
bool is_timed(const db::TrialView& view);

}  // namespace warpwright::reports
