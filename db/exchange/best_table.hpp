// Best settings for people: the table that `tune` and `tunedb best` show, what is behind its rows, and notes under it.
#pragma once

#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::db {

// PATTERN PROBLEM KERNEL TIME, OF LIMIT (the share of its ceiling), DEFAULT (how many times as fast as the kernel's
// default), LIBRARY (the fastest library's time over ours), CERTAINTY (what is known of its being right), SEARCHED (how
// much of the space was evaluated). As data it has params, ids and all that identifies the problem too.
Table best_table(const std::vector<Best>&);

// A block of lines for each: params, time with its interval and rate, ties, libraries, match, ids.
std::string best_details(const std::vector<Best>&, const Screen&);

// Ours, the libraries with default and with tuned knobs, and the ceiling under each other; empty where there is nothing
// to compare with.
std::string comparison_lines(const Best&);

// Sentences on what the table cannot say: answers that are not quite what was asked, data sets that are not known, and
// how far predictions tell.
std::string best_notes(const std::vector<Best>&, const Screen&);

// The trials that they are.
std::vector<Id> winners_of(const std::vector<Best>&);

// The table, then where it is to be verbose the details, then the notes.
std::string best_text(const std::vector<Best>&, bool verbose, const Screen&);

}  // namespace warpwright::db
