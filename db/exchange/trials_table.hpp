// Trials as a table that fits a terminal, and notes printed below or instead of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::db {

// Columns: ID KERNEL PROBLEM ARCH TIME VERDICT (for trials that passed: how thoroughly they were checked) PARAMS (in
// the form of --set).
Table trials_table(const std::vector<TrialView>&);

// More about each trial: "Trial 7: race: ...". Equal texts are printed once.
std::string trial_notes(const std::vector<TrialView>&, const Screen&);

// The number of trials that match a filter.
std::int64_t count_of(const Store&, const Filter&);

// "20 of 149 trials, the newest first. All of them: --limit 0. ..."; empty if all are shown.
std::string what_is_left_out(std::int64_t shown, std::int64_t all, bool by_time, bool verbose);

// "for which architecture? FILE has sm_75 and sm_90: tunedb best --arch sm_75"
std::string question_for_arch(const Store&);

}  // namespace warpwright::db
