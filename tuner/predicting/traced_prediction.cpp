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

/// The share of the growth that a launch has: one that is given none of the buffers that grow most, such as one that
/// sums a row of each block, has less to do.
double share_of_growth(const Launch& launch, const Plan& traced, const std::vector<double>& growth) {
  double own = 0;
  for (const Argument& argument : launch.arguments)
    for (const BufferArgument* pointer : pointers_of(argument))
      for (std::size_t i = 0; i < growth.size(); ++i)
        if (traced.buffers[i].name == pointer->buffer) own = std::max(own, growth[i]);
  const double most = growth.empty() ? 0 : std::ranges::max(growth);
  return own > 0 && most > 1 ? own / most : 1;
}

/// What decides how the accesses of a launch grow, besides the numbers of blocks and threads.
struct GrowthOfLaunch {
  double share = 1;                  ///< of the growth of the work
  bool atomics_of_elements = false;  ///< not once for each block
  bool exchanges_of_elements = false;
};

/// The accesses of a launch of the full problem, from those of the same instance in the traced one: counts per element
/// scale with the work, counts per block with the blocks. If the buffer that atomics update grows, they are spread over
/// more cache lines.
AccessFacts scaled_access(const PlannedLaunch& step, const Group& group, const Group& traced, const Scales& scales,
                          const std::vector<double>& growth, const GrowthOfLaunch& launch) {
  using simulator::AccessCounts;
  const AccessCounts& counts = traced.counts;
  Group own;
  add(own, step);
  const double of_group = launch.share * own.threads / group.threads;
  const auto by_work = [&](Count count) { return static_cast<double>(counts.*count) * scales.of(count) * of_group; };
  const double per_block = traced.blocks > 0 ? own.blocks / traced.blocks : 0;
  const double warps_per_block = std::ceil(static_cast<double>(step.launch.block.count()) / 32);
  const double more = launch.atomics_of_elements ? scales.of(&AccessCounts::global_atomics) * of_group : per_block;
  // A warp exchanges values in each round of loads, however few of its lanes have elements; else once.
  const auto rounds = [&](double loads, double blocks) { return std::max(loads / (blocks * warps_per_block), 1.0); };
  const double more_rounds = launch.exchanges_of_elements && traced.blocks > 0
                                 ? rounds(by_work(&AccessCounts::global_load_requests), own.blocks) /
                                       rounds(static_cast<double>(counts.global_load_requests), traced.blocks)
                                 : 1;
  const auto exchanged = [&](Count count) {
    return scales.measured ? by_work(count) : static_cast<double>(counts.*count) * per_block * more_rounds;
  };
  double same_line = 0;
  for (const auto& [buffer, busiest] : traced.busiest)
    same_line = std::max(same_line, busiest * std::max(more / std::max(growth.at(buffer), 1.0), std::min(more, 1.0)));
  return {.load_requests = by_work(&AccessCounts::global_load_requests),
          .load_sectors = by_work(&AccessCounts::global_load_sectors),
          .store_requests = by_work(&AccessCounts::global_store_requests),
          .store_sectors = by_work(&AccessCounts::global_store_sectors),
          .shared_requests = by_work(&AccessCounts::shared_load_requests) +
                             by_work(&AccessCounts::shared_store_requests) +
                             by_work(&AccessCounts::shared_atomic_requests),
          .shared_least_wavefronts =
              by_work(&AccessCounts::shared_least_wavefronts) + by_work(&AccessCounts::shared_atomic_requests),
          .constant_bytes = by_work(&AccessCounts::constant_bytes),
          .shared_wavefronts = by_work(&AccessCounts::shared_load_wavefronts) +
                               by_work(&AccessCounts::shared_store_wavefronts) +
                               by_work(&AccessCounts::shared_atomic_wavefronts),
          .shuffles = exchanged(&AccessCounts::shuffles),
          .votes = exchanged(&AccessCounts::votes),
          .reductions = exchanged(&AccessCounts::reductions),
          .matched_values = exchanged(&AccessCounts::matched_values),
          .barriers = static_cast<double>(counts.barriers) * per_block * scales.of_barriers() * warps_per_block,
          .atomics = static_cast<double>(counts.global_atomics) * more,
          .atomics_same_line = same_line};
}

/// The launches of a plan: those of each entry together, and all of them together.
struct Groups {
  std::map<std::string, Group> of_entry = {};
  Group all = {};
};

/// `access`: what was counted in these launches; null if nothing was.
Groups groups_of(const std::vector<PlannedLaunch>& launches, const conformance::CountedAccess* access = nullptr) {
  Groups groups;
  if (access != nullptr) groups.all.counts = access->counts;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    Group& group = groups.of_entry[launches[i].launch.entry];
    if (access != nullptr) group.counts += access->launches.at(i);
    for (Group* counted : {&group, &groups.all}) {
      add(*counted, launches[i]);
      if (access != nullptr) add(*counted, access->launch_atomics.at(i));
    }
  }
  return groups;
}

double blocks_of(const Plan& plan) {
  return std::max(groups_of(launches_of(plan)).all.blocks, 1.0);
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

/// What the machine code of an entry tells.
struct EntryCode {
  std::optional<HotLoop> hot_loop = {};  ///< nothing for one without arithmetic
  bool atomics_of_elements = false, exchanges_of_elements = false;
};

std::map<std::string, EntryCode> codes_of(const InstanceCode& code, const Groups& groups, ElementType arithmetic,
                                          const CountedWork& work, const Latencies& latencies) {
  std::map<std::string, EntryCode> codes;
  for (const auto& [entry, group] : groups.of_entry) {
    const LoopedCode looped(code.of(entry));
    codes[entry] = {.hot_loop = hot_loop(looped, arithmetic, work, latencies),
                    .atomics_of_elements = has_atomics_of_elements(looped),
                    .exchanges_of_elements = has_exchanges_of_elements(looped)};
  }
  return codes;
}

/// What the model knows of a launch but for its accesses, its loop and its handovers.
LaunchFacts facts_of(const PlannedLaunch& step, const CompiledConfiguration& configuration) {
  const Launch& launch = step.launch;
  const Resources& resources = configuration.built.instances.at(launch.entry).resources;
  return {.grid = launch.grid.count(),
          .block = static_cast<int>(launch.block.count()),
          .registers = resources.registers,
          .spill_bytes = resources.spill_load_bytes + resources.spill_store_bytes,
          .static_shared_bytes = resources.static_shared,
          .dynamic_shared_bytes = static_cast<int>(launch.shared_bytes),
          .times = step.times,
          .independent_loads = configuration.kernel->loads_in_flight(configuration.params)};
}

}  // namespace

Prediction predict_from_trace(const TuningContext& context, const CompiledConfiguration& configuration,
                              const Problem& problem, const std::optional<conformance::CountedAccess>& access,
                              const std::optional<Growth>& measured, bool counts_problem) {
  const Kernel& kernel = *configuration.kernel;
  const Device& simulated = host_device(context.host());
  const Problem usual = counts_problem ? problem : conformance::traced_problem(context.catalogue, problem);
  const Problem traced =
      counts_problem ? problem
                     : conformance::traced_problem(context.catalogue, kernel, configuration.params, problem, simulated)
                           .value_or(usual);
  const Pattern& pattern = context.catalogue.pattern(problem.pattern);
  const auto steps = [&](const Problem& one) {
    return conformance::steps_of(pattern, *configuration.kernel, configuration.params, one);
  };
  // The growth was measured from the usual problem, and with its numbers.
  Scales scales{.work = steps(problem) / std::max(steps(traced), 1.0),
                .measured = traced == usual && traced.numbers == problem.numbers ? measured : std::nullopt};
  if (scales.measured)
    scales.default_blocks = blocks_of(kernel.plan(kernel.default_point, problem, context.device)) /
                            blocks_of(kernel.plan(kernel.default_point, traced, simulated));

  const Plan traced_plan = kernel.plan(configuration.params, traced, simulated);
  const std::vector<double> growth = growth_of(configuration.plan, traced_plan);
  const Groups traced_groups = access ? groups_of(launches_of(traced_plan), &*access) : Groups();
  const auto launches = launches_of(configuration.plan);
  const Groups groups = groups_of(launches);

  const bool is_traced = is_work_traced(kernel);
  Work work = is_traced ? traced_work(pattern, problem) : pattern.work(problem);
  if (kernel.operations) work.operations = kernel.operations(configuration.params, problem);
  const auto codes =
      codes_of(InstanceCode(configuration.built, context.device.compute_capability), groups, work.arithmetic,
               {.of_thread = is_traced ? 0 : work.operations / groups.all.threads, .integers = is_traced},
               latencies_of(context.device.compute_capability));
  const auto access_of = [&](const PlannedLaunch& step) {
    if (!access) {
      Group own;
      add(own, step);
      return least_access(work, own.threads / groups.all.threads);
    }
    const EntryCode& code = codes.at(step.launch.entry);
    const GrowthOfLaunch grows{.share = share_of_growth(step.launch, traced_plan, growth),
                               .atomics_of_elements = code.atomics_of_elements,
                               .exchanges_of_elements = code.exchanges_of_elements};
    const auto like = traced_groups.of_entry.find(step.launch.entry);
    return like == traced_groups.of_entry.end()
               ? scaled_access(step, groups.all, traced_groups.all, scales, growth, grows)
               : scaled_access(step, groups.of_entry.at(step.launch.entry), like->second, scales, growth, grows);
  };

  const double handovers = kernel.handovers(configuration.params, problem);
  std::vector<LaunchFacts> facts;
  for (const PlannedLaunch& step : launches) {
    LaunchFacts& launch = facts.emplace_back(facts_of(step, configuration));
    launch.access = access_of(step);
    launch.loop = codes.at(step.launch.entry).hot_loop;
    launch.handovers = handovers / static_cast<double>(launches.size());
  }
  const bool loops_access_memory = std::ranges::all_of(facts, [](const LaunchFacts& launch) {
    return !launch.loop || !launch.loop->is_loop ||
           launch.loop->shared + launch.loop->global_loads + launch.loop->constant_bytes > 0;
  });
  if (is_traced && loops_access_memory) work.operations = traced_operations(facts);
  return predict(context.device, work, facts);
}

}  // namespace warpwright::tuner
