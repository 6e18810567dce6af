// Converts the memory access counts of a simulation to database rows.
#pragma once

#include <string>
#include <vector>

#include "conformance/checks/case_result.hpp"
#include "db/store/records.hpp"

namespace warpwright::tuner {

/// One row per launch step of the traced plan. The source lines cover all launches and are in the first row.
std::vector<db::Access> access_rows(const conformance::CountedAccess& access, db::Id configuration, db::Id problem,
                                    const std::string& target);

}  // namespace warpwright::tuner
