// Finds loops in machine code, and simulates one warp in the hottest one.
#include "tuner/cost_model/hot_loop.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace warpwright::tuner {
namespace {

using gpu::Instruction;
using gpu::Unit;

/// Latency in clocks of units that signal completion by a scoreboard barrier. Those that are not of memory are about
/// what Z. Jia et al. found on a V100 and a T4 (2018, 2019) and W. Luo et al. on an H100 (2024).
int latency_of(Unit unit, const Latencies& memory) {
  switch (unit) {
    case Unit::global_load:
    case Unit::atomic:
      return memory.l2;
    case Unit::local:
      return memory.l1;
    case Unit::shared_load:
    case Unit::shuffle:
      return memory.shared;
    case Unit::special:
    case Unit::conversion:
    case Unit::constant:
    case Unit::uniform:
      return 23;
    case Unit::fp64:
      return 16;
    case Unit::matrix:
      return 33;
    case Unit::barrier:
      return 25;
    default:
      return 8;
  }
}

/// Whether the instruction does arithmetic of the type in which a problem counts its operations.
bool counts(const Instruction& one, ElementType arithmetic) {
  if (arithmetic == ElementType::f64) return one.unit == Unit::fp64;
  if (arithmetic == ElementType::f16 || arithmetic == ElementType::bf16)
    return one.unit == Unit::fp32 || one.unit == Unit::half;
  return arithmetic == ElementType::f32 && one.unit == Unit::fp32;
}

using Loop = std::vector<std::size_t>;  ///< numbers of instructions
using Body = std::vector<const Instruction*>;

/// The instructions of a loop without those of the loops inside it.
Body body_of(const std::vector<Instruction>& code, const Loop& loop, const std::vector<Loop>& loops) {
  std::vector<bool> is_inner(code.size());
  for (const Loop& other : loops)
    if (other.size() < loop.size() && std::ranges::includes(loop, other))
      for (const std::size_t i : other) is_inner[i] = true;
  Body body;
  for (const std::size_t i : loop)
    if (!is_inner[i]) body.push_back(&code[i]);
  return body;
}

double operations_of(const Body& body, ElementType arithmetic, const CountedWork& work) {
  double sum = 0;
  for (const Instruction* one : body) {
    if (counts(*one, arithmetic)) sum += one->operations;
    if (work.integers && !is_floating(arithmetic) && (one->unit == Unit::integer || one->unit == Unit::multiply)) ++sum;
  }
  return sum;
}

/// Clocks of the second of two iterations.
double follow(const Body& body, const Latencies& latencies) {
  constexpr int kOperandsRead = 10;
  constexpr std::size_t kBarriers = 6;
  std::array<double, kBarriers> clear{};
  double now = 0, before = 0;
  for (int iteration = 0; iteration < 2; ++iteration) {
    before = now;
    for (const Instruction* one : body) {
      for (std::size_t i = 0; i < kBarriers; ++i)
        if ((one->waits >> i & 1) != 0) now = std::max(now, clear[i]);
      const auto sets = [&](int barrier, double at) {
        if (barrier < static_cast<int>(kBarriers)) {
          double& until = clear[static_cast<std::size_t>(barrier)];
          until = std::max(until, at);
        }
      };
      sets(one->signals, now + latency_of(one->unit, latencies));
      sets(one->reads_done, now + kOperandsRead);
      now += std::max(one->stall, 1);
      if (one->unit == Unit::barrier) now += latency_of(Unit::barrier, latencies);
    }
  }
  return now - before;
}

/// The count of a unit's instructions; null if they are not counted by unit.
double* count_of(HotLoop& hot, Unit unit) {
  switch (unit) {
    case Unit::fp32:
    case Unit::half:
      return &hot.fp32;
    case Unit::fp64:
      return &hot.fp64;
    case Unit::multiply:
      return &hot.multiply;
    case Unit::integer:
      return &hot.integer;
    case Unit::special:
      return &hot.special;
    case Unit::conversion:
      return &hot.conversion;
    case Unit::shuffle:
      return &hot.shuffle;
    case Unit::global_load:
      return &hot.global_loads;
    case Unit::shared_load:
    case Unit::shared_store:
      return &hot.shared;
    case Unit::local:
      return &hot.local;
    case Unit::barrier:
      return &hot.barriers;
    default:
      return nullptr;
  }
}

/// Whether a loop with loads from global memory has such an instruction too.
template <class Is>
bool has_of_elements(const LoopedCode& looped, Is is) {
  return std::ranges::any_of(looped.loops, [&](const Loop& loop) {
    const auto has = [&](auto what) {
      return std::ranges::any_of(loop, [&](std::size_t i) { return what(looped.code[i]); });
    };
    return has(is) &&
           has([](const Instruction& one) { return one.unit == Unit::global_load || one.unit == Unit::async; });
  });
}

}  // namespace

bool has_atomics_of_elements(const LoopedCode& looped) {
  return has_of_elements(looped, [](const Instruction& one) { return one.unit == Unit::atomic; });
}

bool has_exchanges_of_elements(const LoopedCode& looped) {
  constexpr std::uint16_t kVote = 0x006, kReduction = 0x1c4;
  return has_of_elements(looped, [](const Instruction& one) {
    const int base = one.opcode & 0x1ff;
    return one.unit == Unit::shuffle || base == kVote || base == kReduction;
  });
}

std::optional<HotLoop> hot_loop(const LoopedCode& looped, ElementType arithmetic, const CountedWork& work,
                                const Latencies& latencies) {
  const auto& [code, loops] = looped;
  const auto operations = [&](const Body& body) { return operations_of(body, arithmetic, work); };
  Body best;
  for (const Loop& loop : loops) {
    Body body = body_of(code, loop, loops);
    if (operations(body) > operations(best)) best = std::move(body);
  }
  bool is_loop = operations(best) > 0;
  if (!is_loop) {
    best.clear();
    for (const Instruction& one : code) best.push_back(&one);
  } else if (work.of_thread > 0) {
    constexpr double kAsMany = 1.5;
    Loop all(code.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    Body straight = body_of(code, all, loops);
    const double here = operations(straight);
    is_loop = here >= kAsMany * work.of_thread || work.of_thread >= kAsMany * here;
    if (!is_loop) best = std::move(straight);
  }
  HotLoop hot{.is_loop = is_loop, .operations = operations(best)};
  if (hot.operations == 0) return std::nullopt;
  for (const Instruction* one : best) {
    if (one->unit == Unit::nothing) continue;
    ++hot.instructions;
    if (one->bytes > 0) hot.shared_passes += std::max(one->bytes / 4.0, 1.0);
    hot.constant_bytes += one->constant;
    if (double* const count = count_of(hot, one->unit)) ++*count;
  }
  hot.alone_clocks = follow(best, latencies);
  return hot;
}

}  // namespace warpwright::tuner
