// Computes the terms of the analytic cost model, launch by launch.
#include "tuner/cost_model/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tuner/cost_model/architecture.hpp"
#include "tuner/cost_model/occupancy.hpp"

namespace warpwright::tuner {
namespace {

constexpr double sector_bytes = 32;
constexpr double request_bytes = 128;
constexpr double attainable_bandwidth = 0.92;
constexpr double excess_load_hits = 0.75;
constexpr double excess_store_hits = 0.60;
constexpr double block_start_us = 0.5;
constexpr double memory_latency_us = 0.7;
constexpr double assumed_loads_in_flight = 4;
constexpr double l2_bytes_per_clock = 20;
constexpr double instructions_per_access = 5;
constexpr double issues_per_clock = 4;
constexpr double clocks_per_atomic = 2;
constexpr double clocks_per_block = 1.2;
constexpr double handover_us = 0.31;
constexpr double overlap_norm = 6;
constexpr double exposed_phase = 0.4;
constexpr double loads_around_barrier = 8;  // per warp: loads that a barrier prevents from overlapping
constexpr double tail_share = 0.5;
constexpr double attainable_issue = 0.92;
constexpr double l1_hits = 0.8;
constexpr double trusted_trace = 2;
constexpr double trusted_shared_trace = 3;  // larger, because fewer other code paths touch shared memory
constexpr double dependent_clocks = 6;      // latency of a dependent integer instruction
/// Lanes per SM, the same on sm_75 to sm_121. Source: CUDA C++ Programming Guide 13.0, arithmetic throughput.
constexpr double integer_lanes = 64;
constexpr double special_lanes = 16;
constexpr double shuffle_lanes = 32;
constexpr double vote_lanes = 64;
constexpr double reduction_lanes = 16;
constexpr double clocks_per_matched_value = 2;
constexpr double first_launch_us = 2;
constexpr double further_launch_us = 1;

double threads_of(const LaunchFacts& launch) {
  return static_cast<double>(launch.grid) * launch.block * static_cast<double>(launch.times);
}

/// Warps of all blocks and repetitions. A block that is no whole number of warps has one that is not full.
double warps_of(const LaunchFacts& launch) {
  return static_cast<double>(launch.grid) * ((launch.block + 31) / 32) * static_cast<double>(launch.times);
}

/// The load of one launch, summed over its repetitions.
struct Load {
  Work work;
  AccessFacts access;
};

AccessFacts with_untraced(const Work& work, AccessFacts access) {
  if (access.load_requests <= 0 && work.bytes_read > 0) {
    access.load_requests = work.bytes_read / request_bytes;
    access.load_sectors = work.bytes_read / sector_bytes;
  }
  if (access.store_requests <= 0 && work.bytes_written > 0) {
    access.store_requests = work.bytes_written / request_bytes;
    access.store_sectors = work.bytes_written / sector_bytes;
  }
  access.shared_wavefronts = std::max(access.shared_wavefronts, access.shared_requests);
  return access;
}

/// Iterations of the loop summed over all warps, estimated from the traced accesses to shared memory, or else to global
/// or constant memory. Code outside loops runs once; so does a loop without any of these.
double traced_iterations(const LaunchFacts& launch) {
  const HotLoop& loop = *launch.loop;
  const AccessFacts& access = launch.access;
  const double once = warps_of(launch);
  if (!loop.is_loop) return once;
  if (loop.shared > 0 && access.shared_requests > 0) return access.shared_requests / loop.shared;
  if (loop.global_loads > 0 && access.load_requests > 0) return access.load_requests / loop.global_loads;
  if (loop.constant_bytes > 0 && access.constant_bytes > 0) return access.constant_bytes / 32 / loop.constant_bytes;
  return once;
}

/// The share of the traced accesses to shared memory that the code has. Code that runs once has the accesses of its
/// instructions: where the compiler keeps values in registers, these are fewer than those of the source.
double share_of_shared(const LaunchFacts& launch, const AccessFacts& access) {
  const double traced = std::max(access.shared_least_wavefronts, access.shared_requests);
  if (!launch.loop || launch.loop->is_loop || traced <= 0) return 1;
  return std::min(1.0, launch.loop->shared_passes * warps_of(launch) / traced);
}

/// The weight by which the operations of the work are divided among the launches of a plan.
double guessed_operations(const LaunchFacts& launch) {
  return launch.loop ? 32 * launch.loop->operations * traced_iterations(launch) : 0;
}

std::vector<Load> loads_of(const Work& work, const std::vector<LaunchFacts>& launches) {
  double threads = 0;
  double computing = 0;
  double loaded = 0;
  double stored = 0;
  for (const LaunchFacts& launch : launches) {
    if (threads_of(launch) <= 0) throw std::invalid_argument("prediction for a launch without threads");
    threads += threads_of(launch);
    computing += guessed_operations(launch);
    loaded += launch.access.load_sectors;
    stored += launch.access.store_sectors;
  }
  std::vector<Load> loads;
  for (const LaunchFacts& launch : launches) {
    const double share = threads_of(launch) / threads;
    Load& load = loads.emplace_back(Load{work, launch.access});
    load.work.bytes_read *= loaded > 0 ? launch.access.load_sectors / loaded : share;
    load.work.bytes_written *= stored > 0 ? launch.access.store_sectors / stored : share;
    // Operations belong to the launches whose machine code has arithmetic.
    load.work.operations *= computing > 0 ? guessed_operations(launch) / computing : share;
    load.access = with_untraced(load.work, load.access);
  }
  return loads;
}

/// `in_l1` is the number of sectors found in the L1.
double dram_bytes(const Device& device, const Load& load, double in_l1, double resident_warps) {
  const AccessFacts& access = load.access;
  const auto per_request = [](double sectors, double requests) { return requests > 0 ? sectors / requests : 0; };
  const double touched = resident_warps * sector_bytes *
                         std::max(per_request(access.load_sectors, access.load_requests),
                                  per_request(access.store_sectors, access.store_requests));
  const double fits = touched > 0 ? std::min(1.0, static_cast<double>(device.l2_bytes) / touched) : 1.0;
  const double excess_loads = std::max(0.0, (access.load_sectors - in_l1) * sector_bytes - load.work.bytes_read);
  const double excess_stores = std::max(0.0, access.store_sectors * sector_bytes - load.work.bytes_written);
  const double footprint = load.work.bytes_read + load.work.bytes_written;
  const double stays = footprint > 0 ? std::min(1.0, 0.5 * static_cast<double>(device.l2_bytes) / footprint) : 1.0;
  return footprint + excess_loads * (1 - std::max(stays, excess_load_hits * fits)) +
         2 * excess_stores * (1 - std::max(stays, excess_store_hits * fits));
}

/// `from_memory` is the share of loads that miss all caches.
double latency_us(const LaunchFacts& launch, const AccessFacts& access, double warps, double waves,
                  double from_memory) {
  const double times = static_cast<double>(launch.times);
  const double loads = access.load_requests / (warps * times);
  const double in_flight =
      launch.independent_loads > 0 ? launch.independent_loads : std::clamp(loads, 1.0, assumed_loads_in_flight);
  const double rounds = loads > 0 ? std::max(1.0, loads / in_flight) : 0;
  return times * std::max(1.0, waves) * (block_start_us + memory_latency_us * rounds * from_memory);
}

/// The clocks in which an SM serves loads and stores: each takes at least its addresses' time, and that of its data.
double path_clocks(const Device& device, double requests, double wavefronts) {
  const LoadStorePath path = load_store_path_of(device.compute_capability);
  constexpr double warp = 32, wavefront_bytes = 128;
  return std::max(requests * warp / path.lanes, wavefronts * wavefront_bytes / path.bytes);
}

double norm(std::initializer_list<double> terms) {
  const double largest = std::max(terms);
  if (largest <= 0) return 0;
  double sum = 0;
  for (const double term : terms) sum += std::pow(term / largest, overlap_norm);
  return largest * std::pow(sum, 1 / overlap_norm);
}

/// The clocks in which an SM exchanges values between lanes.
double exchange_clocks(const AccessFacts& access) {
  return 32 * (access.shuffles / shuffle_lanes + access.votes / vote_lanes + access.reductions / reduction_lanes) +
         clocks_per_matched_value * access.matched_values;
}

/// How a launch fills the SMs.
struct Residence {
  double warps = 0;             ///< in the grid
  double waves = 0;             ///< grid / blocks resident at the same time
  double blocks_per_sm = 0;     ///< resident
  double sm_clocks_per_us = 0;  ///< summed over all SMs that have a block
  double busiest = 1;           ///< blocks of the busiest SM / average blocks per SM
};

Residence residence_of(const Device& device, const LaunchFacts& launch, int blocks_per_sm) {
  const double grid = static_cast<double>(launch.grid);
  const double at_once = static_cast<double>(blocks_per_sm) * device.sm_count;
  const double busy = std::min<double>(device.sm_count, grid);
  return {.warps = grid * ((launch.block + 31) / 32),
          .waves = grid / at_once,
          .blocks_per_sm = std::max(1.0, std::min(grid, at_once) / device.sm_count),
          .sm_clocks_per_us = busy * device.sm_clock_mhz,
          .busiest = std::ceil(grid / busy) * busy / grid};
}

double throughput_of(const Breakdown& terms) {
  // An instruction that occupies lanes must also be issued, so these count once, by their maximum.
  return norm({terms.dram, terms.l2, terms.shared + terms.l1,
               std::max({terms.issue, terms.compute, terms.special, terms.exchange}), terms.waits, terms.atomics,
               terms.handovers, terms.blocks, terms.latency});
}

/// Computes the arithmetic terms from the number of iterations of the hot loop that the operations need.
void add_loop(Breakdown& terms, const Device& device, const LaunchFacts& launch, const Load& load,
              const Residence& at) {
  const HotLoop& loop = *launch.loop;
  const AccessFacts& access = load.access;
  // The trace is more exact, provided that the loop has the traced accesses. It has if the numbers of iterations agree.
  const double by_operations = load.work.operations / (32 * loop.operations);
  const double by_trace = traced_iterations(launch);
  const double trusted = loop.shared > 0 && access.shared_requests > 0 ? trusted_shared_trace : trusted_trace;
  const bool agree = by_trace < trusted * by_operations && by_operations < trusted * by_trace;
  const double iterations = agree ? by_trace : by_operations;
  const double clocks = iterations / at.sm_clocks_per_us;
  const auto lanes = [](double instructions, double count) { return count > 0 ? 32 * instructions / count : 0; };
  const double busiest = std::max({lanes(loop.fp32, device.fp32_lanes_per_sm) + lanes(loop.multiply, integer_lanes),
                                   lanes(loop.fp64, device.fp64_lanes_per_sm), lanes(loop.integer, integer_lanes),
                                   lanes(loop.shuffle, shuffle_lanes)});
  terms.issue = clocks * loop.instructions / issues_per_clock / attainable_issue;
  terms.compute = std::max(terms.compute, clocks * busiest / attainable_issue);
  terms.special = clocks * lanes(loop.special + loop.conversion, special_lanes) / attainable_issue;
  const auto path = [&](double requests, double sectors) {
    return path_clocks(device, requests, sectors * sector_bytes / request_bytes);
  };
  terms.l1 = (path(access.load_requests, access.load_sectors) + path(access.store_requests, access.store_sectors) +
              path_clocks(device, iterations * loop.local, iterations * loop.local)) /
             at.sm_clocks_per_us;
  terms.waits = std::max(1.0, std::ceil(at.waves)) * iterations / at.warps * loop.alone_clocks / device.sm_clock_mhz;
}

Breakdown cost(const Device& device, const LaunchFacts& launch, const Load& load, int blocks_per_sm) {
  const AccessFacts& access = load.access;
  const Residence at = residence_of(device, launch, blocks_per_sm);
  const double spilled = static_cast<double>(launch.spill_bytes) * threads_of(launch);
  const double accesses = access.load_requests + access.store_requests + access.shared_requests +
                          spilled / request_bytes + access.shuffles + access.votes + access.reductions;
  // Repeated reads by the warps of a block hit shared memory, or else the L1.
  const double needed = std::min(access.load_sectors, load.work.bytes_read / sector_bytes);
  const double in_l1 = launch.loop && access.shared_requests == 0 ? l1_hits * (access.load_sectors - needed) : 0;
  const double l2_sectors =
      access.load_sectors - in_l1 + access.store_sectors + spilled / sector_bytes + 2 * access.atomics;

  Breakdown terms;
  terms.dram = dram_bytes(device, load, in_l1, at.warps / std::max(1.0, at.waves)) /
               (attainable_bandwidth * device.memory_bandwidth_gbs * 1e3);
  terms.l2 = l2_sectors * sector_bytes / (l2_bytes_per_clock * device.sm_count * device.sm_clock_mhz);
  terms.shared = share_of_shared(launch, access) *
                 path_clocks(device, access.shared_requests, access.shared_wavefronts) / at.sm_clocks_per_us;
  // For floating point, one instruction does two operations (a multiply-add).
  const bool is_integer = !is_floating(load.work.arithmetic);
  const double operations = load.work.operations / (is_integer ? 1 : 2);
  terms.issue = (instructions_per_access * accesses + access.barriers + operations / 32) /
                (issues_per_clock * at.sm_clocks_per_us);
  const bool is_double = load.work.arithmetic == ElementType::f64;
  const int lanes = is_double ? device.fp64_lanes_per_sm : device.fp32_lanes_per_sm;
  terms.compute = lanes > 0 ? operations / (lanes * at.sm_clocks_per_us) : 0;
  if (is_integer)
    terms.waits =
        std::max(1.0, std::ceil(at.waves)) * operations / (32 * at.warps) * dependent_clocks / device.sm_clock_mhz;
  terms.exchange = exchange_clocks(access) / at.sm_clocks_per_us;
  terms.atomics = access.atomics_same_line * clocks_per_atomic / device.sm_clock_mhz;
  terms.handovers = launch.handovers * handover_us;
  terms.blocks =
      static_cast<double>(launch.grid) * static_cast<double>(launch.times) * clocks_per_block / device.sm_clock_mhz;
  const double from_memory = launch.loop && access.load_sectors > 0 ? needed / access.load_sectors : 1;
  terms.latency = latency_us(launch, access, at.warps, at.waves, from_memory);
  if (launch.loop) add_loop(terms, device, launch, load, at);
  const double of_memory = norm({terms.dram, terms.l2, terms.atomics, terms.latency});
  const double throughput = throughput_of(terms);
  // The loop's clocks already include its barriers, so only the phases of memory remain.
  if (access.barriers > 0) {
    const double around = access.load_requests > 0 ? access.barriers * loads_around_barrier / access.load_requests : 1;
    terms.barriers =
        std::min(around, 1.0) * std::pow(exposed_phase, at.blocks_per_sm) * (launch.loop ? of_memory : throughput);
  }
  if (at.waves > 1)
    terms.tail = tail_share * (launch.loop ? of_memory : throughput) * (std::ceil(at.waves) / at.waves - 1);
  if (launch.loop)
    terms.tail =
        std::max(terms.tail, (at.busiest - 1) * norm({terms.shared + terms.l1, terms.issue,
                                                      std::max({terms.compute, terms.special, terms.exchange})}));
  return terms;
}

/// The terms by the words for them that rows of the database hold.
std::vector<std::pair<const char*, double Breakdown::*>> named_terms() {
  return {{"DRAM", &Breakdown::dram},
          {"L2", &Breakdown::l2},
          {"shared memory", &Breakdown::shared},
          {"L1", &Breakdown::l1},
          {"issue", &Breakdown::issue},
          {"arithmetic", &Breakdown::compute},
          {"special functions", &Breakdown::special},
          {"lane exchanges", &Breakdown::exchange},
          {"instruction latency", &Breakdown::waits},
          {"atomics", &Breakdown::atomics},
          {"handovers", &Breakdown::handovers},
          {"block starts", &Breakdown::blocks},
          {"memory latency", &Breakdown::latency},
          {"barriers", &Breakdown::barriers},
          {"last wave", &Breakdown::tail},
          {"launch", &Breakdown::launch}};
}

/// The largest term. Shared memory and the L1 are one path: its time is their sum, and the larger one names it.
std::string limit_of(const Breakdown& terms) {
  const double path = terms.shared + terms.l1;
  std::string limit;
  double largest = 0;
  for (const auto& [name, term] : named_terms()) {
    const bool is_path = term == &Breakdown::shared || term == &Breakdown::l1;
    const bool names_path = term == (terms.l1 > terms.shared ? &Breakdown::l1 : &Breakdown::shared);
    const double us = !is_path ? terms.*term : names_path ? path : 0;
    if (us <= largest) continue;
    largest = us;
    limit = name;
  }
  return limit;
}

}  // namespace

double traced_operations(const std::vector<LaunchFacts>& launches) {
  double sum = 0;
  for (const LaunchFacts& launch : launches) sum += guessed_operations(launch);
  return sum;
}

Prediction predict(const Device& device, const Work& work, const std::vector<LaunchFacts>& launches) {
  if (device.sm_count <= 0 || device.sm_clock_mhz <= 0 || !(device.memory_bandwidth_gbs > 0)) {
    throw std::invalid_argument("prediction for a device without SMs, clock or bandwidth: " + device.model);
  }
  const std::vector<Load> loads = loads_of(work, launches);
  double most_threads = 0;
  Prediction prediction;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const LaunchFacts& launch = launches[i];
    const Occupancy resident = occupancy(device, {.block_size = launch.block,
                                                  .registers = launch.registers,
                                                  .static_shared_bytes = launch.static_shared_bytes,
                                                  .dynamic_shared_bytes = launch.dynamic_shared_bytes});
    if (resident.blocks_per_sm == 0) {
      return {.us = std::numeric_limits<double>::infinity(),
              .launch_us = {},
              .breakdown = {},
              .limited_by = resident.limit,
              .occupancy = 0,
              .occupancy_limit = resident.limit,
              .launchable = false};
    }
    if (threads_of(launch) > most_threads) {
      most_threads = threads_of(launch);
      prediction.occupancy = resident.fraction;
      prediction.occupancy_limit = resident.limit;
    }
    const Breakdown terms = cost(device, launch, loads[i], resident.blocks_per_sm);
    for (const auto& [name, term] : named_terms()) prediction.breakdown.*term += terms.*term;
    const double launching =
        further_launch_us * static_cast<double>(launch.times) + (i == 0 ? first_launch_us - further_launch_us : 0);
    prediction.breakdown.launch += launching;
    prediction.launch_us.push_back(throughput_of(terms) + terms.barriers + terms.tail + launching);
    prediction.us += prediction.launch_us.back();
  }
  prediction.limited_by = limit_of(prediction.breakdown);
  return prediction;
}

}  // namespace warpwright::tuner
