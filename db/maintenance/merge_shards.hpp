// Merges the databases that the shards of one run wrote.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "db/maintenance/check.hpp"

namespace warpwright::db {

// A shard's file that was not merged, and why.
struct LeftOut {
  std::filesystem::path part{};
  std::string reason{};
};

// Merges the shards one after another, as merge() does, each in its own transaction; calls `done` after each. A missing
// or damaged shard is left out and the others are merged; throws if the store cannot be written.
// Each shard ranked only its own predictions. Predictions do not depend on the process that makes them, so the rankings
// are united into the one that a single process would have stored. A newer ranking in the store stays. Measured
// rankings belong to one session and are merged as by merge(). The result depends neither on the order of the shards
// nor on how often they are merged.
std::vector<LeftOut> merge_shards(Store& store, std::span<const std::filesystem::path> parts,
                                  const std::function<void(const std::filesystem::path&, const Merged&)>& done = {});

}  // namespace warpwright::db
