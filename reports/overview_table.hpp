// The table of an architecture's patterns. A row opens into the pattern's problems, in the same columns.
#pragma once

#include <string>
#include <vector>

#include "reports/charts/speed_strip.hpp"
#include "reports/summary.hpp"

namespace warpwright::reports {

class OverviewTable {
 public:
  // Refers to the patterns, which must outlive it.
  OverviewTable(const std::vector<std::string>& boards, const std::vector<PatternSummary>& patterns);

  std::string html() const;
  // Whether a library was timed; without any, the columns of comparisons are left out.
  bool has_libraries() const { return libraries_; }
  // Whether a session measured anything; if not, there is no column of sessions.
  bool has_sessions() const { return sessions_; }

 private:
  std::string head() const;
  std::string pattern(const PatternSummary&) const;
  // A row with a cell for each column. `on` has the problem's summary for each board, or null; `main`: it represents
  // the pattern.
  std::string row(const PatternSummary&, const std::vector<const Summary*>& on, bool main) const;

  std::vector<std::string> boards_;
  const std::vector<PatternSummary>& patterns_;
  charts::StripAxis axis_{};
  bool libraries_ = false;
  bool kokkos_ = false;
  bool sessions_ = false;
};

}  // namespace warpwright::reports
