// What a report shows, read from one database: per architecture, problem and board, with what was seen of it.
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

// The newest conclusive trial of a configuration on a problem and board.
struct Row {
  const db::TrialView* view = nullptr;
  const db::Access* access = nullptr;         // of all launches; null where the host executor counted nothing
  std::vector<const db::Access*> launches{};  // the same by launch, where it was counted so
  std::vector<std::pair<std::string, std::string>> params{};  // axis and value (its label where it has one)

  const db::Trial& trial() const { return view->trial; }
  // "passed", or of a predicted one "passed, 1 case".
  std::string verdict() const;
};

// A problem on a board model: what is compared with one another.
struct Contest {
  db::Problem problem{};
  db::Board board{};
  std::vector<db::TrialView> trials{};  // all, oldest first
  std::vector<Row> rows{};              // by kernel and params
  std::vector<db::Baseline> baselines{};
  std::vector<db::Comparison> comparisons{};
  std::optional<db::Best> best{};
  std::vector<db::Best> kernel_bests{};                  // of each kernel, slowest first
  std::map<db::Id, std::vector<db::Launch>> launches{};  // of the winners of kernel_bests, by trial
  // What charts show: "measured" where anything was measured and right, else "predicted", else "imported".
  std::string provenance{};
  std::string mode{};                    // the newest of that provenance; times of other modes are not compared
  std::optional<db::Ceiling> ceiling{};  // what it is held against, where that is known

  // Rows point into `trials`: contests move, they are not copied.
  Contest() = default;
  Contest(Contest&&) = default;
  Contest& operator=(Contest&&) = default;
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  // "reduce op=sum,data=uniform float": without the shape.
  std::string name() const;
  // "reduce op=sum,data=uniform float 67108864".
  std::string title() const;
  // For ids in a page.
  std::string id() const;
  bool measured() const;
  bool imported() const { return provenance == provenance::imported; }
  // Whether its data must cross the bus, which then bounds it.
  bool crosses_bus() const { return problem.bus_to_device + problem.bus_to_host > 0; }
  // Bytes that every solution moves: through memory, or over the bus in the busier direction; 0 where unknown.
  double bytes() const;
  // Of a time; nothing where the bytes are unknown.
  std::optional<double> rate_gbs(std::optional<double> us) const;
  std::optional<double> share_of_ceiling(std::optional<double> us) const;
  // Whether a trial's time is one of those that the charts compare.
  bool compares(const db::TrialView& view) const;
  // Whether a predicted time is of the band of the best, whose members the model cannot tell apart.
  bool in_band(const db::TrialView& view) const;
};

struct Architecture {
  std::string name{};  // "sm_90"
  std::vector<Contest> contests{};
  std::vector<db::Session> sessions{};  // those that tuned for it, oldest first

  bool measured() const;  // anything of it
  bool imported() const { return !contests.empty() && std::ranges::all_of(contests, &Contest::imported); }  // all
};

struct Report {
  std::string file{};
  std::vector<Architecture> architectures{};
  std::map<db::Id, db::Session> sessions{};
  std::map<db::Id, db::Environment> environments{};
  std::vector<db::ConformanceRun> runs{};
  std::vector<db::Counterexample> counterexamples{};
  std::vector<db::Mutant> mutants{};
  std::vector<db::CrossBoard> across{};   // problems that were timed on several boards
  std::vector<db::AlteredRow> altered{};  // rows that were changed behind the programs' back
  // Rows point into the access counts: those of each launch, and the sums over the launches.
  std::vector<db::Access> accesses{};
  std::vector<db::Access> totals{};

  Report() = default;
  Report(Report&&) = default;
  Report& operator=(Report&&) = default;
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
};

// Everything, or of one architecture only.
Report read_report(const db::Store&, const std::string& arch = "");

// Whether a trial has a time, of a configuration that may be used: one that passed, or a predicted one that was not
// checked.
bool is_timed(const db::TrialView& view);

}  // namespace warpwright::reports
