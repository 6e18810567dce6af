// Finds loops in machine code, and simulates one warp in the hottest one.
#include "tuner/cost_model/hot_loop.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpwright::tuner {
namespace {

using gpu::Instruction;
using gpu::Unit;

/// Latency in clocks of units that signal completion by a scoreboard barrier: approximately what Z. Jia et al. found on
/// a V100 and a T4 (2018, 2019) and W. Luo et al. on an H100 (Benchmarking and Dissecting the Nvidia Hopper GPU
/// Architecture, 2024). Global loads are assumed to hit the L2; memory latency is a separate term of the model.
int latency_of(Unit unit) {
  switch (unit) {
    case Unit::global_load:
    case Unit::atomic:
      return 270;
    case Unit::local:
      return 35;
    case Unit::shared_load:
    case Unit::shuffle:
      return 29;
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

using Body = std::vector<const Instruction*>;

/// The instructions of a loop, from the target of its backward branch to the branch, without those of inner loops.
Body body_of(const std::vector<Instruction>& code, std::pair<std::int64_t, std::int64_t> loop,
             const std::vector<std::pair<std::int64_t, std::int64_t>>& loops) {
  Body body;
  for (std::int64_t i = loop.first; i <= loop.second; ++i) {
    const bool within_another = std::ranges::any_of(loops, [&](const auto& other) {
      return other != loop && other.first >= loop.first && other.second <= loop.second && other.first <= i &&
             i <= other.second;
    });
    if (!within_another) body.push_back(&code[static_cast<std::size_t>(i)]);
  }
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
double follow(const Body& body) {
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
      sets(one->signals, now + latency_of(one->unit));
      sets(one->reads_done, now + kOperandsRead);
      now += std::max(one->stall, 1);
      if (one->unit == Unit::barrier) now += latency_of(Unit::barrier);
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

}  // namespace

std::optional<HotLoop> hot_loop(const std::vector<Instruction>& code, ElementType arithmetic, const CountedWork& work) {
  std::vector<std::pair<std::int64_t, std::int64_t>> loops;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto& target = code[i].target;
    // A branch to itself is padding after the end of the code.
    if (target && *target < static_cast<std::int64_t>(i)) loops.emplace_back(*target, static_cast<std::int64_t>(i));
  }
  const auto operations = [&](const Body& body) { return operations_of(body, arithmetic, work); };
  Body best;
  for (const auto& loop : loops) {
    Body body = body_of(code, loop, loops);
    if (operations(body) > operations(best)) best = std::move(body);
  }
  bool is_loop = operations(best) > 0;
  if (!is_loop) {
    best.clear();
    for (const Instruction& one : code) best.push_back(&one);
  } else if (work.of_thread > 0) {
    constexpr double kAsMany = 1.5;
    Body straight = body_of(code, {0, std::ssize(code) - 1}, loops);
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
  hot.alone_clocks = follow(best);
  return hot;
}

}  // namespace warpwright::tuner
