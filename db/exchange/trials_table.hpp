// Trials as a table that fits a terminal, and what is said below and in place of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::db {

// ID KERNEL PROBLEM ARCH TIME VERDICT (of those that passed what is known of them) PARAMS (as --set takes them).
Table trials_table(const std::vector<TrialView>&);

// What is known of each beyond its row: "Trial 7: race: ...", each text once.
std::string trial_notes(const std::vector<TrialView>&, const Screen&);

// How many trials answer a filter.
std::int64_t count_of(const Store&, const Filter&);

// "20 of 149 trials, the newest first. All of them: --limit 0. ..."; empty where all are shown.
std::string what_is_left_out(std::int64_t shown, std::int64_t all, bool by_time, bool verbose);

// "for which architecture? FILE has sm_75 and sm_90: tunedb best --arch sm_75"
std::string question_for_arch(const Store&);

}  // namespace warpwright::db
