// Warp operations, as device code calls them.
#include <fmt/format.h>

#include <cstring>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {

void Engine::refuse_call(const WarpCall& call, const void* site) {
  fail([&] {
    WarpFault fault = WarpUnit::fault_of(running(), call);
    Finding finding = findings_.made_by(FindingKind::bad_warp_mask, running(), site, std::move(fault.message));
    if (fault.other != nullptr) finding.other = findings_.where(*fault.other, fault.other->site);
    return finding;
  });
}

unsigned long long Engine::warp_operation(WarpCall call, unsigned long long value, const void* site) {
  count_step(site);
  Thread& self = running();
  loops_.note_wait();
  if (call.operation != WarpOperation::sync) counters_.disturb(self);
  if (loops_.watches() && call.operation != WarpOperation::sync) [[unlikely]]
    loops_.note_value(self, value, site);
  Warp& warp = *self.warp;
  const bool multiplies = is_of_matrix_unit(call.operation);
  const std::uint32_t missing = call.mask & ~(warp.existing & ~warp.exited);
  if ((missing != 0 && (multiplies || !findings_.tolerates_exits())) || WarpUnit::is_wrong(self, call)) [[unlikely]]
    refuse_call(call, site);
  if (multiplies) begin_matrix_operation(call, value, site);
  if (missing != 0 && !options_->accept_exited_threads) [[unlikely]]
    tolerate_absent_lanes(call, missing, site);
  const std::size_t group = WarpUnit::arrive(self, call, value, site);
  if (warp.groups[group].arrived != (call.mask & ~missing)) {
    self.state = ThreadState::at_warp_operation;
    give_way();
  } else {
    complete(warp, group);
  }
  if (is_of_warpgroup(call.operation)) [[unlikely]]
    finish_warpgroup_operation(call, site);
  if (call.operation == WarpOperation::store_matrices) [[unlikely]]
    store_row(*reinterpret_cast<const MatrixRows*>(value), site);
  return self.value;
}

bool Engine::has_row(const MatrixRows& rows) const {
  return running().lane < 8 * rows.count;
}

void Engine::access_row(const MatrixRows& rows, unsigned code, const void* site) {
  if (space_of(rows.place) != Space::shared)
    out_of_bounds(reinterpret_cast<std::uintptr_t>(rows.place), sizeof(rows.row), code, site);
  access(rows.place, sizeof(rows.row) | code, site);
}

void Engine::store_row(const MatrixRows& rows, const void* site) {
  if (!has_row(rows)) return;
  access_row(rows, access_write, site);
  std::memcpy(rows.place, rows.row, sizeof(rows.row));
}

void Engine::begin_matrix_operation(const WarpCall& call, unsigned long long value, const void* site) {
  Thread& self = running();
  loops_.note_change();
  if (call.operation == WarpOperation::load_matrices) {
    auto& load = *reinterpret_cast<MatrixRows*>(value);
    if (has_row(load)) {
      access_row(load, 0, site);
      std::memcpy(load.row, load.place, sizeof(load.row));
    }
  }
  for (const WarpGroup& group : self.warp->groups) {
    if (group.operation != call.operation || group.arrived == 0) continue;
    const Thread& other = self.warp->lanes[std::countr_zero(group.arrived)];
    const bool same = MatrixUnit::same(call.operation, other, value);
    if (same && (other.site == site || module_->line_of(other.site) == module_->line_of(site))) continue;
    fail([&] {
      self.value = value;
      Finding finding = findings_.made_by(
          FindingKind::bad_warp_mask, self, site,
          fmt::format("{} while other lanes of the warp are in another {}, or give it other arguments: all lanes must "
                      "execute the same one",
                      MatrixUnit::name_of(call.operation, self), MatrixUnit::name_of(call.operation, other)));
      finding.other = findings_.where(other, other.site);
      return finding;
    });
  }
  if (call.operation == WarpOperation::start_product)
    begin_product(*reinterpret_cast<const WarpgroupProduct*>(value), site);
  if (call.operation == WarpOperation::commit_products) begin_commit();
}

void Engine::tolerate_absent_lanes(const WarpCall& call, std::uint32_t absent, const void* site) {
  findings_.tolerate(StrictRule::early_exit, site, nullptr, [&] {
    return findings_.made_by(FindingKind::bad_warp_mask, running(), site,
                             fmt::format("a warp operation with mask {:#010x} names lanes {:#010x}, which have left "
                                         "the kernel or are not there",
                                         call.mask, absent));
  });
}

void Engine::complete(Warp& warp, std::size_t number) {
  const WarpGroup group = warp.groups[number];
  warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(number));
  if (trace_)
    trace_->add_warp_operation(
        warp.lanes[std::countr_zero(group.arrived)].site, exchange_of(group.operation),
        group.operation == WarpOperation::match_any ? WarpUnit::distinct_values(warp, group) : 1);
  if (memory_.check_races && group.operation == WarpOperation::sync) memory_.detector.at_syncwarp(warp, group.arrived);
  if (is_of_matrix_unit(group.operation)) matrices_.complete(warp, group.operation);
  if (is_of_warpgroup(group.operation)) complete_warpgroup_operation(warp, group.operation);
  const std::uint32_t poisoned = warps_.complete(warp, group);
  for (std::uint32_t lanes = poisoned; lanes != 0; lanes &= lanes - 1) {
    const Thread& thread = warp.lanes[std::countr_zero(lanes)];
    findings_.hint_once(thread.site, [&] {
      return fmt::format("the result of {} with mask {:#010x} at {} is poison: it reads lane {}, which takes no part",
                         name_of(group.operation), group.mask, describe(findings_.where(thread, thread.site)),
                         WarpUnit::source_lane(group.operation, thread));
    });
  }
  if (Explorer* const explorer = scheduler_.explorer(); explorer != nullptr) [[unlikely]] {
    std::vector<Thread*> together;
    for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1)
      together.push_back(&warp.lanes[std::countr_zero(lanes)]);
    explorer->meet(together);
  }
  for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1) {
    Thread& thread = warp.lanes[std::countr_zero(lanes)];
    if (&thread != scheduler_.running()) scheduler_.make_ready(thread);
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
      Finding finding =
          findings_.made_by(FindingKind::bad_warp_mask, waiting, waiting.site,
                            fmt::format("{} with mask {:#010x} waits for lane {}, which has left the kernel",
                                        name_of(group.operation), group.mask, self.lane));
      finding.other = findings_.where(self, nullptr);
      return finding;
    };
    if (awaited && is_of_matrix_unit(group.operation)) {
      findings_.add(leaves());
      return false;
    }
    if (awaited && !findings_.tolerate_exit(waiting.site, leaves)) return false;
    if (awaited && group.arrived == (group.mask & warp.existing & ~warp.exited))
      complete(warp, i);
    else
      ++i;
  }
  return true;
}

}  // namespace warpwright::simulator
