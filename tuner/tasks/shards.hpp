// Splits the work of `tune` into shards.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// The unit of splitting. Predictions do not depend on the machine, so they are split by configurations; a kernel with
/// the same params is in one shard for all problems, so that it is compiled once. Measured times are compared within
/// one session on one GPU, so measuring is split by problems.
enum class Pieces { configurations, problems };

/// Reduces the request and its tasks to those of the shard. Problems are weighed for the newest known board, not for
/// this device, so that all nodes of a fleet agree on the split.
void keep_shard(const Shard& shard, Pieces pieces, const Device& device, TuningRequest& request,
                std::vector<TuningTask>& tasks);

/// The kernel's points in the request's slice.
std::vector<Point> slice_for(const Kernel& kernel, const Problem& problem, const Device& device,
                             const TuningRequest& request);

/// Reduces a space to the slice; if the default is not in it, another point takes its place. Returns the points of
/// the full space's covering sample that are left, so that how a configuration is checked does not depend on the slice.
std::vector<std::size_t> keep_slice(const Kernel& kernel, const Shard& slice, PointSet& set,
                                    const std::vector<std::size_t>& sample);

/// Says that there is nothing to do, and creates the empty database, which shows that the shard is done.
void say_empty(const std::string& shard, const std::filesystem::path& database);

}  // namespace warpwright::tuner
