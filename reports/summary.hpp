// The numbers of a problem on a board, the same on every page.
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
  // Whether a vendor's library is faster than our best.
  bool library_is_faster() const;
  bool is_slower() const { return change.value_or(0) > noise && apart.empty(); }
};
Summary summary_of(const Architecture&, const ProblemResults&, const std::vector<Drift>&);

// Values that are computed once for all pages of an architecture.
struct ArchitectureSummary {
  const Architecture& architecture;
  std::vector<Drift> drifts{};
  std::vector<Summary> problems{};  // in the order of the architecture's
};
// The same for a report.
struct Summaries {
  const Report& report;
  std::vector<ArchitectureSummary> architectures{};
  std::vector<NewFailure> new_failures{};
};
Summaries summaries_of(const Report&);

// A pattern of an architecture: its problems on all boards.
struct PatternSummary {
  std::string pattern{};
  std::vector<Summary> problems{};  // summaries of one problem are neighbours; the problem that represents the pattern
                                    // is first

  // The problem that represents the pattern on a board: preferably measured, then on the most boards, then with the
  // most trials. Null if there is none on that board.
  const Summary* on(const std::string& board) const;
};
// Sorted by name.
std::vector<PatternSummary> patterns_of(const ArchitectureSummary&);

// The geometric mean; empty for no values.
std::optional<double> geometric_mean(const std::vector<double>& values);

}  // namespace warpwright::reports
