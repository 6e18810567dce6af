// Best configurations for people: the table that `tune` and `tunedb best` print, details of its rows, and notes below
// it.
#pragma once

#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::db {

// Columns: PATTERN PROBLEM KERNEL TIME, OF CEILING (share of the ceiling), DEFAULT (speedup over the kernel's default),
// LIBRARY (the fastest library's time divided by ours), CERTAINTY (how thoroughly it was checked), SEARCHED (share of
// the space that was evaluated). IN A GRAPH (time of a run in a graph of many) if it is known of a winner, ENERGY if
// that was asked for, ACCURACY if `verbose`. The data form (--csv, --json) also has params, ids and all fields of the
// problem.
Table best_table(const std::vector<Best>&, bool verbose = false);

// A block of lines per answer: params, time with its interval and rate, ties, libraries, match, ids.
std::string best_details(const std::vector<Best>&, const Screen&);

// Our time, the libraries with default and with tuned knobs, and the ceiling, one per line; empty if there is nothing
// to compare with.
std::string comparison_lines(const Best&);

// Notes on what the table cannot show: answers that match the query only in part, unknown data sets, and the error of
// predictions.
std::string best_notes(const std::vector<Best>&, const Screen&, bool verbose = false);

// The ids of the winners.
std::vector<Id> winners_of(const std::vector<Best>&);

// The table, the details (if `verbose`), the notes.
std::string best_text(const std::vector<Best>&, bool verbose, const Screen&);

}  // namespace warpwright::db
