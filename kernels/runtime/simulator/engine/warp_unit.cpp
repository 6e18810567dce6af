// Operations of warps: which calls are wrong, which lanes wait for each other, and their results.
#include "kernels/runtime/simulator/engine/warp_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace warpwright::simulator {
namespace {

bool is_shuffle(WarpOperation operation) {
  return operation >= WarpOperation::shuffle && operation <= WarpOperation::shuffle_xor;
}

std::uint32_t reduced(WarpOperation operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case WarpOperation::reduce_min:
      return std::min(a, b);
    case WarpOperation::reduce_max:
      return std::max(a, b);
    case WarpOperation::reduce_and:
      return a & b;
    case WarpOperation::reduce_or:
      return a | b;
    case WarpOperation::reduce_xor:
      return a ^ b;
    default:
      return a + b;
  }
}

bool is_odd_width(const WarpCall& call) {
  return is_shuffle(call.operation) && (call.width < 1 || call.width > 32 || (call.width & (call.width - 1)) != 0);
}

/// Whether the caller and the group wait for each other. Lanes that only the caller waits for may still be in another
/// operation, and come later.
bool wait_for_each_other(const WarpGroup& group, const WarpCall& call, int lane) {
  const bool same = group.mask == call.mask && group.operation == call.operation;
  return !same && (group.arrived & call.mask) != 0 && (group.mask >> lane & 1u) != 0;
}

}  // namespace

std::uint64_t AccessCounts::*exchange_of(WarpOperation operation) {
  if (is_shuffle(operation)) return &AccessCounts::shuffles;
  if (operation >= WarpOperation::ballot && operation <= WarpOperation::all) return &AccessCounts::votes;
  // Whether all values are equal is known after one of them.
  if (operation == WarpOperation::match_any || operation == WarpOperation::match_all)
    return &AccessCounts::matched_values;
  if (operation >= WarpOperation::reduce_add && operation <= WarpOperation::reduce_xor)
    return &AccessCounts::reductions;
  return nullptr;
}

const char* name_of(WarpOperation operation) {
  switch (operation) {
    case WarpOperation::sync:
      return "__syncwarp";
    case WarpOperation::shuffle:
      return "__shfl_sync";
    case WarpOperation::shuffle_up:
      return "__shfl_up_sync";
    case WarpOperation::shuffle_down:
      return "__shfl_down_sync";
    case WarpOperation::shuffle_xor:
      return "__shfl_xor_sync";
    case WarpOperation::ballot:
      return "__ballot_sync";
    case WarpOperation::any:
      return "__any_sync";
    case WarpOperation::all:
      return "__all_sync";
    case WarpOperation::match_any:
      return "__match_any_sync";
    case WarpOperation::match_all:
      return "__match_all_sync";
    case WarpOperation::reduce_add:
      return "__reduce_add_sync";
    case WarpOperation::reduce_min:
      return "__reduce_min_sync";
    case WarpOperation::reduce_max:
      return "__reduce_max_sync";
    case WarpOperation::reduce_and:
      return "__reduce_and_sync";
    case WarpOperation::reduce_or:
      return "__reduce_or_sync";
    case WarpOperation::reduce_xor:
      return "__reduce_xor_sync";
    case WarpOperation::multiply_matrices:
      return "mma.sync";
    case WarpOperation::load_matrices:
      return "ldmatrix";
    case WarpOperation::store_matrices:
      return "stmatrix";
    case WarpOperation::move_matrix:
      return "load_matrix_sync or store_matrix_sync";
    case WarpOperation::start_product:
      return "wgmma.mma_async";
    case WarpOperation::fence_products:
      return "wgmma.fence";
    case WarpOperation::commit_products:
      return "wgmma.commit_group";
    case WarpOperation::wait_for_products:
      return "wgmma.wait_group";
    case WarpOperation::give_registers:
      return "setmaxnreg.dec";
    case WarpOperation::take_registers:
      return "setmaxnreg.inc";
  }
  return "";
}

unsigned WarpUnit::source_lane(WarpOperation operation, const Thread& thread) {
  const int lane = thread.lane;
  const int first = lane / thread.width * thread.width;
  int source = lane;
  switch (operation) {
    case WarpOperation::shuffle:
      source = first + (thread.lane_operand & (thread.width - 1));
      break;
    case WarpOperation::shuffle_up:
      source = lane - thread.lane_operand;
      break;
    case WarpOperation::shuffle_down:
      source = lane + thread.lane_operand;
      break;
    case WarpOperation::shuffle_xor:
      source = lane ^ thread.lane_operand;
      break;
    default:
      break;
  }
  // A xor shuffle may read from an earlier segment, never from a later one.
  const bool below = operation != WarpOperation::shuffle_xor && source < first;
  return static_cast<unsigned>(below || source >= first + thread.width || source < 0 ? lane : source);
}

bool WarpUnit::is_wrong(const Thread& thread, const WarpCall& call) {
  const auto& groups = thread.warp->groups;
  return (call.mask >> thread.lane & 1u) == 0 || is_odd_width(call) ||
         std::any_of(groups.begin(), groups.end(),
                     [&](const WarpGroup& group) { return wait_for_each_other(group, call, thread.lane); });
}

WarpFault WarpUnit::fault_of(const Thread& thread, const WarpCall& call) {
  const std::uint32_t mask = call.mask;
  const Warp& warp = *thread.warp;
  const char* const name = name_of(call.operation);
  if ((mask >> thread.lane & 1u) == 0)
    return {fmt::format("{} with mask {:#010x} that omits its caller, lane {}", name, mask, thread.lane)};
  if ((mask & ~warp.existing) != 0) {
    return {fmt::format("{} with mask {:#010x} that names lanes {:#010x}, which the warp does not have", name, mask,
                        mask & ~warp.existing)};
  }
  if ((mask & warp.exited) != 0) {
    return {fmt::format("{} with mask {:#010x} that names lanes {:#010x}, which have left the kernel", name, mask,
                        mask & warp.exited)};
  }
  if (is_odd_width(call))
    return {fmt::format("{} with a width of {}, which is no power of two up to 32", name, call.width)};
  WarpFault fault;
  for (const WarpGroup& group : warp.groups) {
    if (!wait_for_each_other(group, call, thread.lane)) continue;
    fault.other = &warp.lanes[std::countr_zero(group.arrived)];
    fault.message = fmt::format("{} with mask {:#010x}, while lanes of it wait in {} with mask {:#010x}", name, mask,
                                name_of(group.operation), group.mask);
  }
  return fault;
}

std::size_t WarpUnit::arrive(Thread& thread, const WarpCall& call, std::uint64_t value, const void* site) {
  thread.value = value;
  thread.lane_operand = call.lane;
  thread.width = call.width;
  thread.site = site;
  auto& groups = thread.warp->groups;
  auto group = std::find_if(groups.begin(), groups.end(), [&](const WarpGroup& g) { return g.mask == call.mask; });
  if (group == groups.end()) group = groups.insert(group, {call.mask, 0, call.operation});
  group->arrived |= 1u << thread.lane;
  return static_cast<std::size_t>(group - groups.begin());
}

std::uint64_t WarpUnit::distinct_values(const Warp& warp, const WarpGroup& group) {
  std::array<std::uint64_t, 32> values{};
  std::size_t count = 0;
  for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1)
    values.at(count++) = warp.lanes[std::countr_zero(lanes)].value;
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(values.begin(), end);
  return static_cast<std::uint64_t>(std::unique(values.begin(), end) - values.begin());
}

std::uint32_t WarpUnit::complete(Warp& warp, const WarpGroup& group) {
  std::array<std::uint64_t, 32> operands{}, results{};
  std::uint32_t votes = 0, poisoned = 0;
  const std::uint64_t first = warp.lanes[std::countr_zero(group.arrived)].value;
  bool all_same = true;
  auto reduction = static_cast<std::uint32_t>(first);
  for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    operands[lane] = warp.lanes[lane].value;
    votes |= static_cast<std::uint32_t>(operands[lane] != 0) << lane;
    all_same = all_same && operands[lane] == first;
    if (lanes != group.arrived)
      reduction = reduced(group.operation, reduction, static_cast<std::uint32_t>(operands[lane]));
  }
  for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Thread& thread = warp.lanes[lane];
    switch (group.operation) {
      case WarpOperation::sync:
        break;
      case WarpOperation::ballot:
        results[lane] = votes;
        break;
      case WarpOperation::any:
        results[lane] = votes != 0 ? 1 : 0;
        break;
      case WarpOperation::all:
        results[lane] = votes == group.arrived ? 1 : 0;
        break;
      case WarpOperation::match_any:
        for (unsigned i = 0; i < 32; ++i) {
          if ((group.arrived >> i & 1u) != 0 && operands[i] == operands[lane]) results[lane] |= std::uint64_t{1} << i;
        }
        break;
      case WarpOperation::match_all:
        results[lane] = all_same ? group.arrived : 0;
        break;
      case WarpOperation::reduce_add:
      case WarpOperation::reduce_min:
      case WarpOperation::reduce_max:
      case WarpOperation::reduce_and:
      case WarpOperation::reduce_or:
      case WarpOperation::reduce_xor:
        results[lane] = reduction;
        break;
      default: {
        const unsigned source = source_lane(group.operation, thread);
        const bool is_active = (group.arrived >> source & 1u) != 0;
        results[lane] = is_active ? operands[source] : std::uint64_t{poison_} * 0x0101010101010101u;
        if (!is_active) poisoned |= 1u << lane;
      }
    }
  }
  for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1) {
    Thread& thread = warp.lanes[std::countr_zero(lanes)];
    thread.value = results[thread.lane];
  }
  gave_poison_ |= poisoned != 0;
  return poisoned;
}

}  // namespace warpwright::simulator
