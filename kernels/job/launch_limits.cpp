// Which launches a job's steps have for given names, whether a device allows them, and how many threads they have.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kernels/job/lowering.hpp"

namespace warpwright::job {
namespace {

/// The most repeats that a loop with an index may have, as each has steps of its own in the plan.
constexpr std::int64_t kMostParts = 4096;
constexpr std::uint64_t kMostBlocksX = 2147483647, kMostBlocksYZ = 65535;

}  // namespace

std::vector<Names> names_in(const JobStep& step, const Names& names) {
  if (step.steps.empty()) return {};
  if (step.index.empty()) return {names};
  std::vector<Names> passes;
  const Value times = std::min(step.repeat->value(names), static_cast<Value>(kMostParts));
  for (Value i = 0; i < times; ++i) {
    passes.push_back(names);
    passes.back()[step.index] = i;
  }
  return passes;
}

FirstLaunch first_launch(const std::vector<JobStep>& steps, Names names) {
  for (const JobStep& step : steps) {
    if (!step.kernel.empty()) return {step, std::move(names)};
    if (step.steps.empty()) continue;
    if (!step.index.empty()) names[step.index] = 0;
    return first_launch(step.steps, std::move(names));
  }
  return {steps.front(), std::move(names)};
}

std::string first_fault(const std::vector<JobStep>& steps, const Names& names, const StepFault& fault_of) {
  for (const JobStep& step : steps) {
    if (std::string fault = fault_of(step, names); !fault.empty()) return fault;
    for (const Names& pass : names_in(step, names))
      if (std::string inner = first_fault(step.steps, pass, fault_of); !inner.empty()) return inner;
  }
  return {};
}

std::string loop_fault(const JobStep& step, const Names& names) {
  if (step.index.empty() || step.repeat->value(names) <= kMostParts) return {};
  return fmt::format("a loop with an index repeats its steps {} times, of at most {}",
                     static_cast<double>(step.repeat->value(names)), kMostParts);
}

std::string launch_fault(const JobStep& step, const Names& names, const Device& device) {
  if (step.kernel.empty()) return {};
  constexpr std::array<char, 3> kAxes{'x', 'y', 'z'};
  constexpr int kMostOfCluster = 8, kFirstWithClusters = 90;
  Value threads = 1, of_cluster = 1;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    const auto wrong = [&](std::string_view what, const Expression& given) {
      return fmt::format("the {}'s {} of {} is {} (\"{}\")", what, kAxes[i], step.kernel,
                         static_cast<double>(given.value(names)), given.text());
    };
    const Value blocks = step.grid[i].value(names);
    if (!is_whole(blocks) || blocks < 1 || blocks > (i == 0 ? kMostBlocksX : kMostBlocksYZ))
      return wrong("grid", step.grid[i]);
    const Value extent = step.block[i].value(names);
    if (!is_whole(extent) || extent < 1) return wrong("block", step.block[i]);
    threads *= extent;
    const Value cluster = step.cluster[i].value(names);
    if (!is_whole(cluster) || cluster < 1) return wrong("cluster", step.cluster[i]);
    if (blocks / cluster != std::floor(blocks / cluster))
      return fmt::format("{}, no multiple of the {} of its clusters", wrong("grid", step.grid[i]),
                         static_cast<double>(cluster));
    of_cluster *= cluster;
  }
  if (of_cluster > kMostOfCluster)
    return fmt::format("a cluster of {} has {} blocks: it may have {}", step.kernel, static_cast<double>(of_cluster),
                       kMostOfCluster);
  if (of_cluster > 1 && device.compute_capability < kFirstWithClusters)
    return fmt::format("{} is launched in clusters of blocks, which need sm_{}", step.kernel, kFirstWithClusters);
  if (threads > device.max_threads_per_block)
    return fmt::format("a block of {} has {} threads", step.kernel, static_cast<double>(threads));
  const Value shared = step.shared.value(names);
  if (!is_whole(shared) || shared < 0 || shared > device.shared_per_block_optin)
    return fmt::format("{} asks for {} bytes of shared memory", step.kernel, static_cast<double>(shared));
  return {};
}

Value threads_of(const std::vector<JobStep>& steps, const Names& names) {
  Value threads = 0;
  for (const JobStep& step : steps) {
    const Value times = step.repeat && step.index.empty() ? step.repeat->value(names) : 1;
    for (const Names& pass : names_in(step, names)) threads += times * threads_of(step.steps, pass);
    if (step.kernel.empty()) continue;
    Value of_launch = 1;
    for (std::size_t i = 0; i < step.grid.size(); ++i)
      of_launch *= step.grid[i].value(names) * step.block[i].value(names);
    threads += of_launch;
  }
  return threads;
}

std::array<Expression, 3> cluster_of(const Job& job, const GlobalFunction& function, const JobStep& step) {
  std::array<Expression, 3> cluster = JobStep{}.cluster;
  const std::string& text = function.cluster_dims;
  std::size_t begin = 0;
  for (Expression& extent : cluster) {
    if (begin > text.size()) break;
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto is_param = [&](const std::string& name) {
      return std::ranges::find(job.params, name, &Param::name) != job.params.end();
    };
    try {
      extent = Expression::parse(std::string_view(text).substr(begin, end - begin));
    } catch (const ExpressionError&) {
      extent = Expression::parse("unknown");
    }
    if (!std::ranges::all_of(extent.names(), is_param))
      step.place.fail(fmt::format("{0} has __cluster_dims__({1}): give its launch \"cluster\": [{1}] with numbers",
                                  function.name, text));
    begin = end + 1;
  }
  return cluster;
}

bool is_empty(const Job& job, const Problem& problem) {
  const auto is_allowed = [&](const std::string& extent) {
    bool counts_entries = false;
    for (const JobBuffer& buffer : job.buffers) {
      // No index is below 0.
      if (buffer.data.kind == Data::Kind::index_below && buffer.data.first.names().contains(extent)) return false;
      counts_entries |= buffer.data.kind == Data::Kind::row_offsets && buffer.data.first.text() == extent;
    }
    return counts_entries;
  };
  for (std::size_t i = 0; i < problem.shape.size(); ++i)
    if (problem.shape[i] == 0 && !is_allowed(job.extents[i].name)) return true;
  return false;
}

}  // namespace warpwright::job
