// What a shard of a run of `tune` has to do.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// What is shared out. A prediction does not depend on who makes it, so every space is cut up by its configurations;
/// those of a kernel with the same params are in one shard for all problems, which compiles them once. Times are
/// compared within one session on one GPU, so what is measured is shared out by whole problems.
enum class Pieces { configurations, problems };

/// Leaves of the request and its tasks what the shard has to do. Problems weigh what they do on the newest board of the
/// table, not on this device: the nodes of a fleet have to agree which shard has which.
void keep_shard(const Shard& shard, Pieces pieces, const Device& device, TuningRequest& request,
                std::vector<TuningTask>& tasks);

/// Those of a kernel's points that the request's slice has.
std::vector<Point> slice_for(const Kernel& kernel, const Problem& problem, const Device& device,
                             const TuningRequest& request);

/// Leaves of a space what is in the slice; the default is another one where it is not among these. Returns what is left
/// of the covering sample of the whole, so that who is judged how does not depend on the slice.
std::vector<std::size_t> keep_slice(const Kernel& kernel, const Shard& slice, PointSet& set,
                                    const std::vector<std::size_t>& sample);

/// Says that there is nothing to do, and makes the database, which is then known to hold all that the shard has.
void say_empty(const std::string& shard, const std::filesystem::path& database);

}  // namespace warpwright::tuner
