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

/// How counts grow from the traced problem to the full one.
struct Scales {
  double work = 1;  ///< by the steps that the kernel states
  std::optional<Growth> measured = std::nullopt;
  double default_blocks = 1;  ///< if measured: of the configuration that was measured

  double of(Count count) const { return measured ? measured->of(count) : work; }
  /// Barriers in each block.
  double of_barriers() const {
    return measured ? measured->of(&simulator::AccessCounts::barriers) / default_blocks : 1;
  }
};

/// The accesses of a launch of the full problem, from those of the same instance in the traced one: counts per element
/// scale with the work, counts per block with the blocks.
/// If at least half of all threads do atomics, those are taken to be per element. If the buffer that they update grows,
/// they are spread over more cache lines.
AccessFacts scaled_access(const PlannedLaunch& step, const Group& group, const Group& traced, const Scales& scales,
                          const std::vector<double>& growth) {
  using simulator::AccessCounts;
  const AccessCounts& counts = traced.counts;
  Group own;
  add(own, step);
  const double of_group = own.threads / group.threads;
  const auto by_work = [&](Count count) { return static_cast<double>(counts.*count) * scales.of(count) * of_group; };
  const double per_block = traced.blocks > 0 ? own.blocks / traced.blocks : 0;
  const double warps_per_block = std::ceil(static_cast<double>(step.launch.block.count()) / 32);
  const bool of_elements = 2 * static_cast<double>(counts.global_atomics) >= traced.threads;
  const double more = of_elements ? scales.of(&AccessCounts::global_atomics) * of_group : per_block;
  double same_line = 0;
  for (const auto& [buffer, busiest] : traced.busiest)
    same_line = std::max(same_line, busiest * std::max(more / std::max(growth.at(buffer), 1.0), std::min(more, 1.0)));
  return {
      .load_requests = by_work(&AccessCounts::global_load_requests),
      .load_sectors = by_work(&AccessCounts::global_load_sectors),
      .store_requests = by_work(&AccessCounts::global_store_requests),
      .store_sectors = by_work(&AccessCounts::global_store_sectors),
      .shared_requests = by_work(&AccessCounts::shared_load_requests) + by_work(&AccessCounts::shared_store_requests),
      .shared_wavefronts =
          by_work(&AccessCounts::shared_load_wavefronts) + by_work(&AccessCounts::shared_store_wavefronts),
      .barriers = static_cast<double>(counts.barriers) * per_block * scales.of_barriers() * warps_per_block,
      .atomics = static_cast<double>(counts.global_atomics) * more,
      .atomics_same_line = same_line};
}

double blocks_of(const Plan& plan) {
  Group all;
  for (const PlannedLaunch& step : launches_of(plan)) add(all, step);
  return std::max(all.blocks, 1.0);
}

/// The work of a problem that is independent of what a job states about it, but for the operations.
Work traced_work(const Pattern& pattern, const Problem& problem) {
  Work work = pattern.work(problem);
  work.bytes_read = work.bytes_written = 0;
  for (const Buffer& buffer : pattern.buffers(problem)) {
    if (buffer.is_input()) work.bytes_read += static_cast<double>(buffer.bytes());
    if (buffer.is_output()) work.bytes_written += static_cast<double>(buffer.bytes());
  }
  return work;
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
                              const Problem& problem, const std::optional<conformance::CountedAccess>& access,
                              const std::optional<Growth>& measured) {
  const Problem traced = conformance::traced_problem(context.catalogue, problem);
  const Pattern& pattern = context.catalogue.pattern(problem.pattern);
  const auto steps = [&](const Problem& one) {
    return conformance::steps_of(pattern, *prepared.kernel, prepared.params, one);
  };
  Scales scales{.work = steps(problem) / std::max(steps(traced), 1.0), .measured = measured};
  const Device& simulated = host_device(context.host());
  const Kernel& kernel = *prepared.kernel;
  if (measured)
    scales.default_blocks = blocks_of(kernel.plan(kernel.default_point, problem, context.device)) /
                            blocks_of(kernel.plan(kernel.default_point, traced, simulated));

  const Plan traced_plan = kernel.plan(prepared.params, traced, simulated);
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

  const bool is_traced = is_work_traced(kernel);
  Work work = is_traced ? traced_work(pattern, problem) : pattern.work(problem);
  if (kernel.operations) work.operations = kernel.operations(prepared.params, problem);
  const auto access_of = [&](const PlannedLaunch& step) {
    if (!access) {
      Group own;
      add(own, step);
      return least_access(work, own.threads / all.threads);
    }
    const auto like = traced_groups.find(step.launch.entry);
    return like == traced_groups.end()
               ? scaled_access(step, all, all_traced, scales, growth)
               : scaled_access(step, groups.at(step.launch.entry), like->second, scales, growth);
  };

  const InstanceCode code(prepared.built, context.device.compute_capability);
  std::map<std::string, std::optional<HotLoop>> loops;
  for (const PlannedLaunch& step : launches)
    if (!loops.contains(step.launch.entry))
      loops[step.launch.entry] =
          hot_loop(code.of(step.launch.entry), work.arithmetic,
                   {.of_thread = is_traced ? 0 : work.operations / all.threads, .integers = is_traced});
  const double handovers = kernel.handovers(prepared.params, problem);
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
                     .independent_loads = kernel.loads_in_flight(prepared.params),
                     .access = access_of(step),
                     .loop = loops.at(launch.entry),
                     .handovers = handovers / static_cast<double>(launches.size())});
  }
  const bool loops_access_memory = std::ranges::all_of(facts, [](const LaunchFacts& launch) {
    return !launch.loop || !launch.loop->is_loop || launch.loop->shared + launch.loop->global_loads > 0;
  });
  if (is_traced && loops_access_memory) work.operations = traced_operations(facts);
  return predict(context.device, work, facts);
}

}  // namespace warpwright::tuner
