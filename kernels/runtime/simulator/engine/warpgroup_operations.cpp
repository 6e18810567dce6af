// Products by warpgroups and their registers, as device code calls them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/runtime/common/shared_matrices.cuh"
#include "kernels/runtime/simulator/engine/check_access.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {
namespace {

constexpr unsigned piece_bytes = 16;
constexpr std::uint32_t all_lanes = 0xffffffffU;

/// Where what happened before the products of a group is remembered: no address of shared memory.
std::uintptr_t order_of_group(const Thread& thread, std::size_t number) {
  constexpr std::size_t remembered = 8;
  return 1 + number % remembered + remembered * (thread.number / lanes_of_group);
}

/// Registers of a thread, if so many blocks fill an SM.
int registers_at_launch(const Block& block, int blocks) {
  constexpr int registers = 65536, most = 240;
  return std::min(most, registers / static_cast<int>(rounded_up(block.count, lanes_of_group)) / blocks / 8 * 8);
}

/// Registers that warps gave back and others did not take, for a thread of a warp.
int free_registers(const Block& block) {
  int free = 0;
  for (const Warp& warp : block.warps)
    if (warp.registers != 0) free += block.launch_registers - warp.registers;
  return free;
}

bool has_left(const Warp& warp) {
  return warp.exited == warp.existing;
}

}  // namespace

void Engine::begin_product(const WarpgroupProduct& product, const void* site) {
  products_.use();
  Thread& self = running();
  Block& block = *self.block;
  Warpgroup& group = WarpgroupUnit::group_of(self);
  const std::size_t first_warp = self.number / lanes_of_group * warps_of_group;
  const std::uint64_t number = group.started[WarpgroupUnit::warp_of(self)];
  const bool is_known = number < group.forgotten + group.products.size();
  for (std::size_t i = first_warp; i < first_warp + warps_of_group; ++i) {
    const bool exists = i < block.warps.size() && block.warps[i].existing == all_lanes;
    const bool has_started = exists && is_known && (group.product(number).joined >> (i - first_warp) & 1U) != 0;
    if (!exists || (has_left(block.warps[i]) && !has_started)) lacks_warp(product, exists, i, site);
  }
  if (is_known) {
    const AsyncProduct& begun = group.product(number);
    const bool same_line = begun.site == site || module_->line_of(begun.site) == module_->line_of(site);
    if (!same_line || !are_same(begun.what, product)) differs_from_product(product, begun, site);
  }
  const auto check = [&](const void* begin, std::size_t bytes) { check_fence(begin, bytes, product, site); };
  for_each_range_of_sums(product, check);
  for_each_range_of_a(product, check);
  read_operands(product, site);
  WarpgroupUnit::take_registers(self, products_.next_product(self, product, site), product);
}

void Engine::check_fence(const void* registers, std::size_t bytes, const WarpgroupProduct& product, const void* site) {
  const LaneProducts& mine = running().extras->products;
  const HeldRegisters* const held =
      WarpgroupUnit::registers_at(running(), reinterpret_cast<std::uintptr_t>(registers), bytes);
  const void* const touched = held != nullptr ? held->touched : nullptr;
  if (!mine.has_fenced || touched != nullptr) not_fenced(product, touched, site);
}

void Engine::read_operands(const WarpgroupProduct& product, const void* site) {
  const Thread& self = running();
  const std::uintptr_t window = memory_.shared.window(self.block->slot);
  const auto read = [&](std::size_t place) {
    const std::uintptr_t address = window + place;
    access(reinterpret_cast<const void*>(address), piece_bytes | access_bulk, site);
    if (memory_.check_races) check_proxy(address, &product, site);
  };
  // The lanes of a warp share the pieces: its 16 rows of A, and all of B.
  if (product.of_a == nullptr) read(place_of_a(product, WarpgroupUnit::warp_of(self) * 32 + self.lane));
  for (unsigned piece = self.lane; piece < pieces_of_b(product); piece += 32) read(place_of_b(product, piece));
}

void Engine::check_proxy(std::uintptr_t address, const WarpgroupProduct* product, const void* site) {
  const Thread& self = running();
  const Block& block = *self.block;
  const ShadowRange range = memory_.shadow_at(address, *self.block);
  const Cell* const cells = range.shadow.cells(range.offset, piece_bytes);
  for (std::size_t i = 0; i < range.shadow.cell_count(piece_bytes); ++i) {
    const AccessRecord& writer = cells[i].writer;
    const std::uint32_t number = writer.thread - block.order.first_thread;
    if (number >= block.count || !memory_.detector.is_of_this_launch(writer) || async_.is_bulk(writer.site)) continue;
    const LaneProducts& mine = self.extras->products;
    const bool has_fenced_it =
        writer.time < mine.fenced_of_block ||
        (mine.fenced_of_others != nullptr && mine.fenced_of_others->covers(writer.thread, writer.time));
    if (writer.time <= block.extras[number].products.fenced || has_fenced_it) continue;
    return not_fenced(address, writer, product, site);
  }
}

void Engine::complete_warpgroup_operation(Warp& warp, WarpOperation operation) {
  products_.use();
  Thread& self = running();
  Warpgroup& group = WarpgroupUnit::group_of(self);
  const unsigned number = WarpgroupUnit::warp_of(self);
  loops_.note_change();
  if (operation == WarpOperation::start_product) {
    AsyncProduct& product = group.product(group.started[number]++);
    product.joined |= 1U << number;
    if (!product.has_all_warps()) return;
    if (scheduler_.draw(2) == 0) compute_products(self, group.started[number]);
    scheduler_.make_all_ready(self.block->at_products);
  } else if (operation == WarpOperation::fence_products) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      LaneProducts& products = warp.lanes[lane].extras->products;
      products.has_fenced = true;
      for (HeldRegisters& held : products.registers) held.touched = nullptr;
    }
    self.block->has_extras = true;
  } else if (operation == WarpOperation::commit_products) {
    group.committed[number].push_back(group.started[number]);
  }
}

void Engine::begin_commit() {
  products_.use();
  if (!memory_.check_races) return;
  // Each lane for itself: what the others have read is known to it after the wait only.
  Thread& self = running();
  const Warpgroup& group = WarpgroupUnit::group_of(self);
  order_products(self, group.committed[WarpgroupUnit::warp_of(self)].size(), access_write | access_release);
}

void Engine::order_products(Thread& thread, std::size_t group, unsigned code) {
  const StrongSite at{
      .address = order_of_group(thread, group), .code = access_atomic | code, .site = 0, .shared = true};
  memory_.detector.synchronise(thread, at, nullptr);
}

void Engine::compute_products(const Thread& thread, std::uint64_t number) {
  products_.compute(WarpgroupUnit::group_of(thread), number,
                    reinterpret_cast<const std::byte*>(memory_.shared.window(thread.block->slot)), matrices_.adder());
}

void Engine::wait_for_products(unsigned pending) {
  products_.use();
  Thread& self = running();
  Warpgroup& group = WarpgroupUnit::group_of(self);
  LaneProducts& mine = self.extras->products;
  const std::vector<std::uint64_t>& committed = group.committed[WarpgroupUnit::warp_of(self)];
  const std::size_t groups = committed.size() < pending ? 0 : committed.size() - pending;
  const std::uint64_t number = groups == 0 ? 0 : committed[groups - 1];
  for (std::uint64_t at = mine.awaited; at < number; ++at)
    while (!group.product(at).has_all_warps()) wait_in(self.block->at_products);
  if (mine.awaited < number) compute_products(self, number);
  products_.deliver(self, number);
  for (; mine.awaited_groups < groups; ++mine.awaited_groups)
    if (memory_.check_races) order_products(self, mine.awaited_groups, access_acquire);
}

void Engine::wait_in(std::vector<Thread*>& waiting) {
  loops_.note_wait();
  running().state = ThreadState::at_warp_operation;
  waiting.push_back(&running());
  give_way();
}

void Engine::change_registers(int count, bool takes, const void* site) {
  Thread& self = running();
  Warp& warp = *self.warp;
  Block& block = *self.block;
  if (self.lane == 0) {
    if (block.launch_registers == 0) block.launch_registers = registers_at_launch(block, 1);
    // A warp can only take more than it has: then the launch gave it less, for more blocks on an SM.
    for (int blocks = 2; takes && warp.registers == 0 && count < block.launch_registers; ++blocks)
      block.launch_registers = registers_at_launch(block, blocks);
    const int own = warp.registers == 0 ? block.launch_registers : warp.registers;
    if (takes ? count < own : count > own) wrong_registers(count, own, takes, site);
    while (takes && free_registers(block) < count - own) wait_in(block.at_registers);
    warp.registers = count;
    loops_.note_change();
    scheduler_.make_all_ready(block.at_registers);
    return;
  }
  while (warp.registers != count) wait_in(block.at_registers);
}

void Engine::finish_warpgroup_operation(const WarpCall& call, const void* site) {
  if (call.operation == WarpOperation::wait_for_products) wait_for_products(static_cast<unsigned>(call.lane));
  const bool takes = call.operation == WarpOperation::take_registers;
  if (takes || call.operation == WarpOperation::give_registers) change_registers(call.lane, takes, site);
}

void Engine::touch_registers(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  HeldRegisters* const held = WarpgroupUnit::registers_at(running(), address, size);
  if (held == nullptr) return;
  if (const AsyncProduct* const user = WarpgroupUnit::user_of(running(), *held)) touched_early(*user, code, size, site);
  held->touched = site;
}

bool Engine::leave_products(const Thread& self) {
  if (self.block->warpgroups.empty()) return true;
  const Warpgroup& group = WarpgroupUnit::group_of(self);
  const unsigned warp = WarpgroupUnit::warp_of(self);
  if (self.extras->products.awaited < group.started[warp]) {
    findings_.add(unawaited(self, WarpgroupUnit::group_of(self).product(self.extras->products.awaited)));
    return false;
  }
  for (const AsyncProduct& product : group.products) {
    if ((product.joined >> warp & 1U) != 0 || product.joined == 0) continue;
    findings_.add(left_product(self, product));
    return false;
  }
  return true;
}

}  // namespace warpwright::simulator
