// The sections of a page. Each has a sentence, tables, and figures that the page's script draws from the tables.
#pragma once

#include <string>

#include "reports/drift.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

// A section starts with <section id=...>; it is empty if there is nothing to show. This banner says that the times of a
// board are predictions, and how well the model can tell them apart.
std::string predicted_banner(const std::string& board);
// A banner which says that the times come from another tuner's recording.
std::string imported_banner(const std::string& board);
// What needs attention, coloured and with links: altered rows, failures, drift. For one architecture, or on the index
// for all of them.
std::string status_section(const Report&, const Architecture&);
std::string status_section(const Report&);
// The file name of an architecture's page: "sm_90.html".
std::string file_of(const Architecture&);
// One row per pattern and board.
std::string overview_section(const Architecture&);
std::string best_section(const Architecture&);
// For problems timed on several boards: what the best settings of each board lose on the others.
std::string across_section(const Report&);
std::string contest_section(const Contest&, const Architecture&, const Report&, bool open);
std::string configurations_table(const Contest&, const Report&);
std::string drift_section(const Report&, const Architecture&);
std::string nightly_section(const Report&);
// The list of every mutant is long, so it is shown only if `every` is set.
std::string mutants_section(const Report&, bool every);
std::string sessions_section(const Report&, const Architecture&);
std::string published_section(const Architecture&);

// The element in which page.js draws a chart. `kind` is "bars" (one per table row), "steps", "lines", "scatter" or
// "effect". `data` are further data-* attributes: the id of the table and the columns to draw.
std::string figure(const std::string& kind, const std::string& title, const std::string& data);

}  // namespace warpwright::reports
