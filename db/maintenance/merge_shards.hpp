// Merging the databases that the shards of one run wrote.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "db/maintenance/check.hpp"

namespace warpwright::db {

// A part that was not merged, and why.
struct LeftOut {
  std::filesystem::path part{};
  std::string reason{};
};

// Merges part after part, as merge() does, each in a transaction of its own; `done` hears of each. A part that is
// missing or damaged is left out and the others are merged; that the store cannot be written throws. Each shard has
// ranked what it predicted. As predictions do not depend on who makes them, these rankings are united: the order is
// then that of one process that predicts everything. A ranking that the store has and that is newer stays. Measured
// rankings are those of one session, and merged as ever. The result does not depend on the order of the parts, nor on
// how often they are merged.
std::vector<LeftOut> merge_parts(Store& store, std::span<const std::filesystem::path> parts,
                                 const std::function<void(const std::filesystem::path&, const Merged&)>& done = {});

}  // namespace warpwright::db
