// Warp operations: who waits for whom, and what they give.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {
namespace {

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
  }
  return "";
}

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

/// The lane that a shuffle reads; out of its part of the warp, the caller's own.
unsigned source_lane(WarpOperation operation, const Thread& thread) {
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
  // A xor may reach back into an earlier part, never a later one.
  const bool below = operation != WarpOperation::shuffle_xor && source < first;
  return static_cast<unsigned>(below || source >= first + thread.width || source < 0 ? lane : source);
}

/// Whether a lane that calls this other operation waits for lanes of the group, and they for it. Lanes that the caller
/// waits for may well be in an operation that does without it, and come later.
bool wait_for_each_other(const WarpGroup& group, const WarpCall& call, int lane) {
  const bool same = group.mask == call.mask && group.operation == call.operation;
  return !same && (group.arrived & call.mask) != 0 && (group.mask >> lane & 1u) != 0;
}

}  // namespace

void Engine::refuse_mask(const WarpCall& call, const void* site) {
  const auto [operation, mask, lane, width] = call;
  const Warp& warp = *running_->warp;
  std::string message;
  Place other;
  const char* const name = name_of(operation);
  if ((mask >> running_->lane & 1u) == 0) {
    message = fmt::format("{} with mask {:#010x} that omits its caller, lane {}", name, mask, running_->lane);
  } else if ((mask & ~warp.existing) != 0) {
    message = fmt::format("{} with mask {:#010x} that names lanes {:#010x}, which the warp does not have", name, mask,
                          mask & ~warp.existing);
  } else if ((mask & warp.exited) != 0) {
    message = fmt::format("{} with mask {:#010x} that names lanes {:#010x}, which have left the kernel", name, mask,
                          mask & warp.exited);
  } else if (is_shuffle(operation) && (width < 1 || width > 32 || (width & (width - 1)) != 0)) {
    message = fmt::format("{} with a width of {}, which is no power of two up to 32", name, width);
  } else {
    for (const WarpGroup& group : warp.groups) {
      if (!wait_for_each_other(group, call, running_->lane)) continue;
      const Thread& waiting = warp.lanes[std::countr_zero(group.arrived)];
      other = place_of(waiting, waiting.site);
      message = fmt::format("{} with mask {:#010x}, while lanes of it wait in {} with mask {:#010x}", name, mask,
                            name_of(group.operation), group.mask);
    }
  }
  {
    Finding finding = finding_by(FindingKind::bad_warp_mask, *running_, site, std::move(message));
    finding.other = std::move(other);
    add(std::move(finding));
  }
  stop();
}

unsigned long long Engine::warp_operation(WarpCall call, unsigned long long value, const void* site) {
  count_step(site);
  const WarpOperation operation = call.operation;
  const std::uint32_t mask = call.mask;
  const int lane = call.lane, width = call.width;
  Thread& self = *running_;
  Warp& warp = *self.warp;
  const std::uint32_t missing = mask & ~(warp.existing & ~warp.exited);
  const bool names_others = (missing != 0 && !accepts_exits()) || (mask >> self.lane & 1u) == 0;
  const bool odd_width = is_shuffle(operation) && (width < 1 || width > 32 || (width & (width - 1)) != 0);
  const bool disagrees = std::any_of(warp.groups.begin(), warp.groups.end(), [&](const WarpGroup& group) {
    return wait_for_each_other(group, call, self.lane);
  });
  if (names_others || odd_width || disagrees) [[unlikely]]
    refuse_mask(call, site);
  if (missing != 0 && !options_->accept_exited_threads) [[unlikely]]
    allow_absent_lanes(call, missing, site);
  self.value = value;
  self.lane_operand = lane;
  self.width = width;
  self.site = site;
  auto group = std::find_if(warp.groups.begin(), warp.groups.end(), [&](const auto& g) { return g.mask == mask; });
  if (group == warp.groups.end()) group = warp.groups.insert(group, {mask, 0, operation});
  group->arrived |= 1u << self.lane;
  if (group->arrived != (mask & ~missing)) {
    self.state = ThreadState::at_warp_operation;
    give_way();
    return self.value;
  }
  complete(warp, static_cast<std::size_t>(group - warp.groups.begin()));
  return self.value;
}

std::uint64_t Engine::poison_from(unsigned source, const Thread& thread, const WarpGroup& group) {
  gave_poison_ = true;
  if (known_findings_.emplace(FindingKind::bad_warp_mask, thread.site, nullptr).second)
    note([&] {
      return fmt::format("the result of {} with mask {:#010x} at {} is poison: it reads lane {}, which takes no part",
                         name_of(group.operation), group.mask, words_of(place_of(thread, thread.site)), source);
    });
  return std::uint64_t{shuffle_poison()} * 0x0101010101010101u;
}

void Engine::complete(Warp& warp, std::size_t number) {
  const WarpGroup group = warp.groups[number];
  warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(number));
  if (trace_) trace_->add_warp_operation(warp.lanes[std::countr_zero(group.arrived)].site);
  if (check_races_ && group.operation == WarpOperation::sync) judge_.at_syncwarp(warp, group.arrived);
  fruitless_polls_ = 0;
  std::array<std::uint64_t, 32> operands{}, results{};
  std::uint32_t votes = 0;
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
        results[lane] = (group.arrived >> source & 1u) != 0 ? operands[source] : poison_from(source, thread, group);
      }
    }
  }
  for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1) {
    Thread& thread = warp.lanes[std::countr_zero(lanes)];
    thread.value = results[thread.lane];
    if (&thread != running_) make_ready(thread);
  }
}

bool Engine::leave_warp(const Thread& self) {
  Warp& warp = *self.warp;
  warp.exited |= 1u << self.lane;
  for (std::size_t i = 0; i < warp.groups.size();) {
    const WarpGroup& group = warp.groups[i];
    const bool awaited = (group.mask >> self.lane & 1u) != 0;
    const Thread& waiting = warp.lanes[std::countr_zero(group.arrived)];
    const auto leaves = [&] {
      Finding finding = finding_by(FindingKind::bad_warp_mask, waiting, waiting.site,
                                   fmt::format("{} with mask {:#010x} waits for lane {}, which has left the kernel",
                                               name_of(group.operation), group.mask, self.lane));
      finding.other = place_of(self, nullptr);
      return finding;
    };
    if (awaited && !forgives_exit(waiting.site, leaves)) return false;
    if (awaited && group.arrived == (group.mask & warp.existing & ~warp.exited))
      complete(warp, i);
    else
      ++i;
  }
  return true;
}

}  // namespace warpwright::simulator
