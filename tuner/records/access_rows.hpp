// What the store keeps of the memory accesses that were counted on the host.
#pragma once

#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "db/store/records.hpp"

namespace warpwright::tuner {

/// One row for each launch step of the traced plan; the lines, which are of all of them, stand with the first.
std::vector<db::Access> access_rows(const conformance::CountedAccess& access, db::Id configuration, db::Id problem,
                                    const std::string& target);

}  // namespace warpwright::tuner
