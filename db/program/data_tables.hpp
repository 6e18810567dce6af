// Tables of `tunedb` as data for --csv and --json, for those commands whose text for people is not just a table.
#pragma once

#include <string>
#include <vector>

#include "db/exchange/import.hpp"
#include "db/exchange/recording_check.hpp"
#include "db/maintenance/check.hpp"
#include "db/query/cross_board.hpp"
#include "db/query/model_check.hpp"
#include "db/query/step_times.hpp"
#include "db/store/records.hpp"
#include "kernels/system/json_text.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::db {

// One row per run.
Table run_table(const std::vector<ConformanceRun>&);
// One row per board's best configurations of a problem and board on which they are compared.
Table cross_board_table(const std::vector<CrossBoard>&);
// One row per problem and board for all kernels, and one per kernel.
Table model_table(const std::vector<ModelCheck>&);
// The same columns for a recording, and three numbers: its configurations with a time, predicted ones that failed
// there, and predicted ones that it does not have.
Table recording_table(const RecordingCheck&);
// One row per step of a trial's plan.
Table step_table(const PlanTimes&);
// One row per value in an object, with its path: "/samples_us/0".
Table field_table(const Json& object);
// One row per finding in a file.
Table finding_table(const std::string& file, const std::vector<std::string>& findings);

// An empty table to which each merged file or imported recording adds a row.
Table merge_table();
void add_row(Table&, const std::string& file, const Merged&);
Table import_table();
void add_row(Table&, const std::string& file, const Imported&);

}  // namespace warpwright::db
