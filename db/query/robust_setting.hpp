// The settings to use where the data is not known; for the files of db/ only.
#pragma once

#include <vector>

#include "db/query/cells.hpp"
#include "db/query/query.hpp"

namespace warpwright::db {

// Says of best settings of one problem with several data sets, on one board, which configuration serves them all.
// `cells` are what the answers were chosen from, in their order.
void add_any_data(const Store&, const std::vector<const Cell*>& cells, std::vector<Best>& answers);

}  // namespace warpwright::db
