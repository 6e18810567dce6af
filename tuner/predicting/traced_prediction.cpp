// Scales the accesses of the traced problem to the full one.
#include "tuner/predicting/traced_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "conformance/checks/case_plan.hpp"
#include "kernels/runtime/cubin/instance_code.hpp"

namespace warpwright::tuner {
namespace {

/// Sums over the launch steps of a plan that run the same instance.
struct Group {
  double blocks = 0;   ///< of all executions
  double threads = 0;  ///< likewise
  simulator::AccessCounts counts;
  std::map<std::size_t, double> busiest;  ///< by buffer: atomics on its busiest cache line
};

void add(Group& group, const PlannedLaunch& step) {
  const double blocks = static_cast<double>(step.launch.grid.count()) * static_cast<double>(step.times);
  group.blocks += blocks;
  group.threads += blocks * static_cast<double>(step.launch.block.count());
}

void add(Group& group, const std::vector<simulator::AtomicCounts>& launch) {
  for (const simulator::AtomicCounts& one : launch) group.busiest[one.buffer] += static_cast<double>(one.busiest_line);
}

/// The size of each buffer of a plan, relative to that of the traced plan.
std::vector<double> growth_of(const Plan& plan, const Plan& traced) {
  std::vector<double> growth;
  for (std::size_t i = 0; i < traced.buffers.size(); ++i) {
    const auto before = static_cast<double>(traced.buffers[i].count);
    const auto now = i < plan.buffers.size() ? static_cast<double>(plan.buffers[i].count) : before;
    growth.push_back(before > 0 ? now / before : 1);
  }
  return growth;
}

/// The accesses of a launch of the full problem, from those of the same instance in the traced one: counts per element
/// scale with the work, counts per block with the blocks.
/// If at least half of all threads do atomics, those are taken to be per element. If the buffer that they update grows,
/// they are spread over more cache lines.
AccessFacts scaled_access(const PlannedLaunch& step, const Group& group, const Group& traced, double scale,
                          const std::vector<double>& growth) {
  const simulator::AccessCounts& counts = traced.counts;
  Group own;
  add(own, step);
  const double of_group = own.threads / group.threads;
  const auto by_work = [&](std::uint64_t n) { return static_cast<double>(n) * scale * of_group; };
  const double per_block = traced.blocks > 0 ? own.blocks / traced.blocks : 0;
  const double warps_per_block = std::ceil(static_cast<double>(step.launch.block.count()) / 32);
  const bool of_elements = 2 * static_cast<double>(counts.global_atomics) >= traced.threads;
  const double more = of_elements ? scale * of_group : per_block;
  double same_line = 0;
  for (const auto& [buffer, busiest] : traced.busiest)
    same_line = std::max(same_line, busiest * std::max(more / std::max(growth.at(buffer), 1.0), std::min(more, 1.0)));
  return {.load_requests = by_work(counts.global_load_requests),
          .load_sectors = by_work(counts.global_load_sectors),
          .store_requests = by_work(counts.global_store_requests),
          .store_sectors = by_work(counts.global_store_sectors),
          .shared_requests = by_work(counts.shared_load_requests + counts.shared_store_requests),
          .shared_wavefronts = by_work(counts.shared_load_wavefronts + counts.shared_store_wavefronts),
          .barriers = static_cast<double>(counts.barriers) * per_block * warps_per_block,
          .atomics = static_cast<double>(counts.global_atomics) * more,
          .atomics_same_line = same_line};
}

/// The least accesses of a launch that does `share` of the work: every byte once, in full sectors and requests.
AccessFacts least_access(const Work& work, double share) {
  constexpr double kSectorBytes = 32;
  constexpr double kRequestBytes = 128;
  return {.load_requests = share * work.bytes_read / kRequestBytes,
          .load_sectors = share * work.bytes_read / kSectorBytes,
          .store_requests = share * work.bytes_written / kRequestBytes,
          .store_sectors = share * work.bytes_written / kSectorBytes};
}

}  // namespace

Prediction predict_from_trace(const TuningContext& context, const CompiledConfiguration& prepared,
                              const Problem& problem, const std::optional<conformance::CountedAccess>& access) {
  const Problem traced = conformance::traced_problem(context.catalogue, problem);
  const Pattern& pattern = context.catalogue.pattern(problem.pattern);
  const auto steps = [&](const Problem& one) {
    return conformance::steps_of(pattern, *prepared.kernel, prepared.params, one);
  };
  const double scale = steps(problem) / std::max(steps(traced), 1.0);

  const Plan traced_plan = prepared.kernel->plan(prepared.params, traced, host_device(context.host()));
  const std::vector<double> growth = growth_of(prepared.plan, traced_plan);
  const auto traced_launches = launches_of(traced_plan);
  std::map<std::string, Group> traced_groups;
  Group all_traced;
  if (access) all_traced.counts = access->counts;
  for (std::size_t i = 0; access && i < traced_launches.size(); ++i) {
    Group& group = traced_groups[traced_launches[i].launch.entry];
    add(group, traced_launches[i]);
    add(all_traced, traced_launches[i]);
    group.counts += access->launches.at(i);
    for (Group* counted : {&group, &all_traced}) add(*counted, access->launch_atomics.at(i));
  }
  std::map<std::string, Group> groups;
  Group all;
  const auto launches = launches_of(prepared.plan);
  for (const PlannedLaunch& step : launches) {
    add(groups[step.launch.entry], step);
    add(all, step);
  }

  Work work = pattern.work(problem);
  if (prepared.kernel->operations) work.operations = prepared.kernel->operations(prepared.params, problem);
  const auto access_of = [&](const PlannedLaunch& step) {
    if (!access) {
      Group own;
      add(own, step);
      return least_access(work, own.threads / all.threads);
    }
    const auto like = traced_groups.find(step.launch.entry);
    return like == traced_groups.end() ? scaled_access(step, all, all_traced, scale, growth)
                                       : scaled_access(step, groups.at(step.launch.entry), like->second, scale, growth);
  };

  const InstanceCode code(prepared.built, context.device.compute_capability);
  std::map<std::string, std::optional<HotLoop>> loops;
  for (const PlannedLaunch& step : launches)
    if (!loops.contains(step.launch.entry))
      loops[step.launch.entry] = hot_loop(code.of(step.launch.entry), work.arithmetic, work.operations / all.threads);
  const double handovers = prepared.kernel->handovers(prepared.params, problem);
  std::vector<LaunchFacts> facts;
  for (const PlannedLaunch& step : launches) {
    const Launch& launch = step.launch;
    const Resources& resources = prepared.built.instances.at(launch.entry).resources;
    facts.push_back({.grid = launch.grid.count(),
                     .block = static_cast<int>(launch.block.count()),
                     .registers = resources.registers,
                     .spill_bytes = resources.spill_load_bytes + resources.spill_store_bytes,
                     .static_shared_bytes = resources.static_shared,
                     .dynamic_shared_bytes = static_cast<int>(launch.shared_bytes),
                     .times = step.times,
                     .independent_loads = prepared.kernel->loads_in_flight(prepared.params),
                     .access = access_of(step),
                     .loop = loops.at(launch.entry),
                     .handovers = handovers / static_cast<double>(launches.size())});
  }
  return predict(context.device, work, facts);
}

}  // namespace warpwright::tuner
