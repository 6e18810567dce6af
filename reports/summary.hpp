// The numbers of a problem on a board that every page shows alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/drift.hpp"
#include "reports/library_times.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

struct Summary {
  const ProblemResults* results = nullptr;
  std::optional<double> us{};     // of the best configuration
  std::string kernel{};           // "grid_stride"; empty if nothing is timed
  std::optional<double> share{};  // of the ceiling
  std::string of{};               // what the share is of: "read", "copy", "bus", "FMA", "peak"
  FastestLibraries libraries{};
  std::vector<const db::TrialView*> bests_of_sessions{};
  std::optional<double> change{};  // of the best now against the best before the newest session: 0.05 is 5 % slower
  std::string apart{};  // why the change is not one of the machine or the code: Drift::apart, or that the best was not
                        // measured again
  db::Searched searched{};
  std::string certainty{};  // "certified", "measured", "predicted", "imported", "failing", "not timed"
  std::int64_t wrong = 0;   // configurations whose newest trial was wrong

  bool predicted() const { return results->predicted(); }
  // The vendor's time over ours is below this problem's: a library is faster.
  bool library_is_faster() const;
  bool is_slower() const { return change.value_or(0) > noise && apart.empty(); }
};
Summary summary_of(const Architecture&, const ProblemResults&, const std::vector<Drift>&);

// What is computed of an architecture, once for all pages.
struct ArchitectureSummary {
  const Architecture& architecture;
  std::vector<Drift> drifts{};
  std::vector<Summary> problems{};  // in the order of the architecture's
};
// ... and of a report.
struct Summaries {
  const Report& report;
  std::vector<ArchitectureSummary> architectures{};
  std::vector<NewFailure> new_failures{};
};
Summaries summaries_of(const Report&);

// A pattern of an architecture: its problems on all boards.
struct PatternSummary {
  std::string pattern{};
  std::vector<Summary> problems{};  // those of one problem are neighbours, the one that stands for the pattern first

  // What stands for the pattern on a board: measured, on most boards, with most trials. Null if nothing is known there.
  const Summary* on(const std::string& board) const;
};
// Sorted by name.
std::vector<PatternSummary> patterns_of(const ArchitectureSummary&);

// The geometric mean; nothing for no values.
std::optional<double> geometric_mean(const std::vector<double>& values);

}  // namespace warpwright::reports
