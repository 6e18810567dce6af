// The parts of pages. A part with nothing to show is empty.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/charts/mutants_bar.hpp"
#include "reports/effects.hpp"
#include "reports/parts.hpp"
#include "reports/summary.hpp"

namespace warpwright::reports {

// What a page of a problem is about.
struct Subject {
  const Report& report;
  const Architecture& architecture;
  const std::vector<Summary>& all;  // of the architecture's problems
  const Summary& summary;
  const ProblemResults& results;
  std::vector<KernelSpace> spaces = kernel_spaces(results);
};

// The results of its problem for all sizes on its board whose times are of the same kind, smallest first.
std::vector<const Summary*> sizes_of(const Subject&);

// The command that predicts the problem, which also traces its kernels in the simulator, as markup.
std::string predicting_command(const ProblemResults&);

// The parts of a problem's page.
Figure result_section(const Subject&);
Figure best_params_section(const Subject&);
Figure roofline_section(const Subject&);
Figure ladder_section(const Subject&);
// The times of the best plan's steps, and how well its streams overlap.
Figure steps_section(const Subject&);
Figure params_section(const Subject&);
Figure configurations_section(const Subject&);
Figure sizes_section(const Subject&);
Figure search_section(const Subject&);
Figure model_section(const Subject&);
Figure correctness_section(const Subject&);
Figure published_section(const Subject&);

// Banners for what needs attention: altered rows, failures, drift, times that are not measured. For one architecture
// and one of its boards, or for all if neither is given.
std::string alerts(const Summaries&, const ArchitectureSummary* = nullptr, const std::string& board = "");

// A banner that says that times are not measured, if those of all these problems with a time are not.
std::string not_measured(const std::string& board, const std::vector<const ProblemResults*>&);

// The parts of the index.
Figure boards_section(const Summaries&);
Figure changes_section(const Summaries&);
Figure cross_board_section(const Report&);
Figure nights_section(const Report&);
Figure mutants_section(const Report&);
Figure sessions_section(const Report&);

// The outcomes of the mutants of a pattern's kernels; of all mutants if no pattern is named.
charts::MutantsBar mutants_of(const Report&, const std::string& pattern = "");

// The sessions that stored trials, which sessions_section() shows, and the board and driver of each.
std::map<db::Id, std::string> machines_of(const Report&);

// How the best was checked, to end a sentence: "certified (200 cases, seed 7)", "checked with 1 case".
std::string checked_words(const db::TrialView&);

// The params of the best configuration as C++: "constexpr warpwright::reduce::grid_stride_params params{...};", for a
// job as #define lines; and as flags of a compiler: "-Dblock_size=128 ...".
std::string as_code(const ProblemResults&);
std::string as_flags(const db::TrialView&);

}  // namespace warpwright::reports
