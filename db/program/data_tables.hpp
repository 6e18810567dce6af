// The tables of `tunedb` as data, for --csv and --json: those whose text for people is more than a table.
#pragma once

#include <string>
#include <vector>

#include "db/exchange/import.hpp"
#include "db/maintenance/check.hpp"
#include "db/query/cross_board.hpp"
#include "db/query/model_check.hpp"
#include "db/store/records.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::db {

// A row a run.
Table run_table(const std::vector<ConformanceRun>&);
// A row for each board's best settings of a problem on each of its boards.
Table across_table(const std::vector<CrossBoard>&);
// A row a problem and board, of all kernels and of each.
Table model_table(const std::vector<ModelCheck>&);
// A row for each thing that is wrong with a file.
Table finding_table(const std::string& file, const std::vector<std::string>& findings);

// What came of merging one file, or of reading one recording, is a row of these.
Table merge_table();
void add_row(Table&, const std::string& file, const Merged&);
Table import_table();
void add_row(Table&, const std::string& file, const Imported&);

}  // namespace warpwright::db
