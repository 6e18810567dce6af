// The sections of a page, each a sentence, tables, and figures that the page's script draws from the tables.
#pragma once

#include <string>

#include "reports/drift.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

// A section starts with <section id=...>; an empty text means that there is nothing to say.
// Says that times of that board are a model's, and how far they can be told apart.
std::string predicted_banner(const std::string& board);
// Says that they are of another tuner's recording.
std::string imported_banner(const std::string& board);
// What needs attention, in colour and with links to where it stands: altered rows, failures, drift. On the page of an
// architecture, or of all of them on the index.
std::string status_section(const Report&, const Architecture&);
std::string status_section(const Report&);
// The page of an architecture: "sm_90.html".
std::string file_of(const Architecture&);
// One row per pattern and board.
std::string overview_section(const Architecture&);
std::string best_section(const Architecture&);
// Where problems were timed on several boards: what the best settings of each cost on the others.
std::string across_section(const Report&);
std::string contest_section(const Contest&, const Architecture&, const Report&, bool open);
std::string configurations_table(const Contest&, const Report&);
std::string drift_section(const Report&, const Architecture&);
std::string nightly_section(const Report&);
// The list of every mutant is long: only where it is asked for.
std::string mutants_section(const Report&, bool every);
std::string sessions_section(const Report&, const Architecture&);
std::string published_section(const Architecture&);

// The place of a chart. `kind` is what page.js draws: "bars" (a row of the table each), "steps", "lines", "scatter",
// "effect"; `data` are further data-* attributes: the id of the table and which of its columns.
std::string figure(const std::string& kind, const std::string& title, const std::string& data);

}  // namespace warpwright::reports
