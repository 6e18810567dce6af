// Launches: which threads run when, on which fiber, and when a launch is over.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <numeric>
#include <system_error>

#include "kernels/runtime/host/machine.hpp"
#include "kernels/runtime/host/machine_switch.hpp"

namespace warpwright::host {
namespace {

constexpr std::size_t stack_bytes = std::size_t{96} << 10;
// Two mappings each (stack and guard) stay below the system's usual limit of 65,530 for a process.
constexpr std::size_t most_fibers = 30'000;
constexpr std::int64_t longest_slice = 1 << 20;
// Volatile or atomic accesses that find nothing new, with no other access, barrier or exit in between by any thread,
// before it is called a hang.
constexpr std::uint64_t most_fruitless_polls = 1'000'000;
// A grid of more blocks runs in its natural order: the order of each would have to be stored.
constexpr std::uint64_t most_ordered_blocks = std::uint64_t{1} << 24;
constexpr std::size_t most_kept_shadow = std::size_t{1} << 29;
constexpr std::uint32_t most_threads_per_block = 1024;
constexpr std::uint32_t most_grid_y = 65'535, most_block_z = 64;
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 31;

/// Blocks of that many threads that the device holds at a time, as far as threads are what limits it.
std::uint64_t most_resident(const Device& device, std::uint64_t threads) {
  const std::uint64_t whole_warps = (threads + 31) / 32 * 32;
  const std::uint64_t per_sm = std::min(static_cast<std::uint64_t>(device.max_blocks_per_sm),
                                        static_cast<std::uint64_t>(device.max_threads_per_sm) / whole_warps);
  return static_cast<std::uint64_t>(device.sm_count) * per_sm;
}

}  // namespace

constinit thread_local Machine* Machine::current_ = nullptr;

Machine& Machine::of_this_thread() {
  thread_local Machine machine;
  current_ = &machine;
  return machine;
}

Machine::Machine() : fibers_(stack_bytes, most_fibers, &Machine::fiber_body) {
  void* const memory = mmap(nullptr, trap_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  trap_memory_ = static_cast<std::byte*>(memory);
  stacks_begin_ = fibers_.begin();
  stacks_bytes_ = fibers_.bytes();
}

Machine::~Machine() {
  munmap(trap_memory_, trap_bytes);
}

void Machine::begin(const Module& module, const ExecuteOptions& options, Execution& execution) {
  module_ = &module;
  options_ = &options;
  execution_ = &execution;
  *module.table().runtime = &runtime_table();
  trace_.reset();
  branches_.reset();
  if (options.count_accesses) {
    trace_.emplace();
    branches_.emplace();
    comparisons_.clear();
  }
  module.table().watch->comparisons = options.count_accesses ? 1 : 0;
  check_races_ = options.check_races;
  check_initialised_ = options.check_initialised;
  known_findings_.clear();
  launch_ = nullptr;
  shadows_.resize(std::max(shadows_.size(), memory_.region_count()));
  for (std::size_t i = 0; i < memory_.region_count(); ++i) {
    const Region& region = memory_.region(i);
    shadows_[i].resize(region.bytes(), check_races_ && !region.read_only);
  }
  launches_ = steps_ = 0;
  slice_ = slice_length_ = 1;
  stopped_ = false;
}

void Machine::end() {
  execution_->thread_steps = steps_ + static_cast<std::uint64_t>(slice_length_ - slice_);
  std::size_t remembered = 0;
  for (const Shadow& shadow : shadows_) remembered += shadow.memory();
  if (remembered > most_kept_shadow) shadows_.clear();
  if (!trace_) return;
  std::map<std::pair<std::string, int>, AccessCounts> lines;
  const auto add_counts = [&](const void* site, const AccessCounts& counts) {
    const auto source = module_->line_of(site);
    lines[{source.file, source.line}] += counts;
    execution_->access += counts;
  };
  for (const auto& [site, counts] : trace_->sites()) add_counts(site, counts);
  for (const auto& [site, counts] : branches_->sites()) {
    AccessCounts branches;
    branches.branches = counts.executed;
    branches.divergent_branches = counts.divergent;
    add_counts(site, branches);
  }
  for (const auto& [line, counts] : lines) execution_->lines.push_back({line.first, line.second, counts});
}

bool Machine::is_legal(const ModuleEntry& entry, const Launch& launch) {
  const auto refuse = [&](std::string message) {
    report(FindingKind::illegal_launch, launch.entry, std::move(message));
    stopped_ = true;
    return false;
  };
  const Dim3& grid = launch.grid;
  const Dim3& block = launch.block;
  if (grid.count() == 0 || block.count() == 0) {
    return refuse(fmt::format("a grid of {} x {} x {} blocks of {} x {} x {} threads is empty", grid.x, grid.y, grid.z,
                              block.x, block.y, block.z));
  }
  const auto most_threads =
      std::min(most_threads_per_block, static_cast<std::uint32_t>(options_->device.max_threads_per_block));
  if (block.x > most_threads || block.y > most_threads || block.z > most_block_z || block.count() > most_threads) {
    return refuse(fmt::format("a block of {} x {} x {} threads is over the limit of {} threads, {} in z", block.x,
                              block.y, block.z, most_threads, most_block_z));
  }
  if (grid.x >= most_blocks || grid.y > most_grid_y || grid.z > most_grid_y) {
    return refuse(fmt::format("a grid of {} x {} x {} blocks is over the limit of {} in y and z", grid.x, grid.y,
                              grid.z, most_grid_y));
  }
  if (grid.count() > most_blocks) {
    return refuse(fmt::format("a grid of {} blocks is more than the host target runs", grid.count()));
  }
  if (launch.shared_bytes > static_cast<std::uint32_t>(options_->device.shared_per_block_optin)) {
    return refuse(fmt::format("{} bytes of dynamic shared memory are over the device's limit of {}",
                              launch.shared_bytes, options_->device.shared_per_block_optin));
  }
  if (launch.arguments.size() != entry.argument_count) {
    return refuse(
        fmt::format("{} arguments for a kernel that takes {}", launch.arguments.size(), entry.argument_count));
  }
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const auto* const value = std::get_if<ValueArgument>(&launch.arguments[i]);
    const std::size_t bytes = value != nullptr ? size_of(value->type) : sizeof(void*);
    if (bytes != entry.argument_sizes[i]) {
      return refuse(
          fmt::format("argument {} has {} bytes, the kernel's parameter has {}", i, bytes, entry.argument_sizes[i]));
    }
  }
  if (const std::uint64_t resident = most_resident(options_->device, block.count());
      launch.cooperative && grid.count() > resident) {
    return refuse(fmt::format("a cooperative launch of {} blocks, of which the device holds {} at a time", grid.count(),
                              resident));
  }
  if (launch.cooperative && grid.count() * block.count() > most_fibers) {
    return refuse(fmt::format("a cooperative launch of {} threads is more than the host target runs together",
                              grid.count() * block.count()));
  }
  return true;
}

void Machine::draw_schedule(std::uint64_t blocks, bool cooperative) {
  const Schedule& schedule = options_->schedule;
  random_ = Random(schedule.seed * 0x2545f4914f6cdd1du + launches_++);
  const bool simple = schedule.seed == 0;
  const auto draw = [&](std::uint64_t bound) { return simple ? 0 : random_.below(bound); };
  order_ = static_cast<Order>(draw(4));
  // NaN and -1; a large number; its negative, so that neither maximum nor minimum hides it.
  constexpr int poisons[] = {0xff, 0x7e, 0xfe};
  poison_ = poisons[draw(3)];
  constexpr std::int64_t preemptions[] = {0, 0, 40, 400};
  preemption_ = preemptions[draw(4)];

  constexpr int residents[] = {2, 1, 3, 4, 8};
  const int wanted = schedule.resident_blocks > 0 ? schedule.resident_blocks : residents[draw(5)];
  const auto together = static_cast<std::uint64_t>(most_fibers / launch_->block.count());
  const std::uint64_t resident =
      cooperative ? blocks : std::min({blocks, static_cast<std::uint64_t>(wanted), together});
  while (blocks_.size() < resident) blocks_.push_back(std::make_unique<Block>());
  blocks_.resize(resident);

  const auto block_orders = draw(3);
  block_order_.clear();
  if (block_orders != 0 && blocks <= most_ordered_blocks) {
    block_order_.resize(blocks);
    std::iota(block_order_.begin(), block_order_.end(), 0u);
    if (block_orders == 1) std::reverse(block_order_.begin(), block_order_.end());
    if (block_orders == 2) random_.shuffle(block_order_);
  }
}

void Machine::launch(const ModuleEntry& entry, const Launch& launch, void** arguments) {
  if (!is_legal(entry, launch)) return;
  entry_ = &entry;
  launch_ = &launch;
  arguments_ = arguments;
  launch_ended_ = false;
  fruitless_polls_ = 0;
  refill_blocks();
  blocks_left_ = launch.grid.count();
  next_block_ = 0;
  ready_.clear();
  ready_begin_ = 0;
  if (judge_.is_worn_out()) {
    for (Shadow& shadow : shadows_) shadow.forget_accesses();
    blocks_.clear();
    judge_.restart();
  }
  judge_.begin_launch(static_cast<std::uint32_t>(launch.block.count()));
  draw_schedule(blocks_left_, launch.cooperative);
  shared_.prepare(blocks_.size(), launch.shared_bytes);
  built_ins_.block_extent = {launch.block.x, launch.block.y, launch.block.z};
  built_ins_.grid_extent = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (std::size_t slot = 0; slot < blocks_.size(); ++slot) {
    blocks_[slot]->slot = slot;
    admit_block(*blocks_[slot]);
  }
  run();
}

void Machine::admit_block(Block& block) {
  const Dim3& grid = launch_->grid;
  const Dim3& extent = launch_->block;
  block.number = block_order_.empty() ? next_block_ : block_order_[next_block_];
  ++next_block_;
  block.index = {static_cast<unsigned>(block.number % grid.x), static_cast<unsigned>(block.number / grid.x % grid.y),
                 static_cast<unsigned>(block.number / grid.x / grid.y)};
  const auto count = static_cast<std::uint32_t>(extent.count());
  block.threads.resize(count);
  block.warps.resize((count + 31) / 32);
  block.live = count;
  block.exited = 0;
  block.extras.resize(count);
  block.arrived.clear();
  std::fill(block.arrays.begin(), block.arrays.end(), nullptr);
  block.dynamic_array = nullptr;
  if (check_initialised_) {
    for (Shadow& shadow : block.shadows) shadow.set_all_written(false);
  }
  if (block.has_extras) std::fill(block.extras.begin(), block.extras.end(), ThreadExtras{});
  block.has_extras = false;
  for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
    Warp& warp = block.warps[i];
    const std::uint32_t lanes = std::min(32u, count - i * 32);
    warp.lanes = &block.threads[i * 32];
    warp.number = i;
    warp.existing = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    warp.exited = 0;
    warp.groups.clear();
  }
  Index3 index{};
  for (std::uint32_t i = 0; i < count; ++i) {
    Thread& thread = block.threads[i];
    thread.fiber = nullptr;
    thread.block = &block;
    thread.warp = &block.warps[i / 32];
    thread.state = ThreadState::waiting_to_start;
    thread.lane = static_cast<std::uint8_t>(i % 32);
    thread.index = index;
    thread.number = i;
    thread.polled = nullptr;
    thread.extras = &block.extras[i];
    if (++index.x == extent.x) {
      index.x = 0;
      if (++index.y == extent.y) {
        index.y = 0;
        ++index.z;
      }
    }
  }
  const std::size_t first = ready_.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    ready_.push_back(&block.threads[order_ == Order::reversed ? count - 1 - i : i]);
  }
  if (order_ == Order::shuffled) {
    for (std::uint32_t i = count; i > 1; --i) std::swap(ready_[first + i - 1], ready_[first + random_.below(i)]);
  }
  if (check_races_) judge_.admit(block);
  execution_->threads += count;
}

void Machine::forget_started() {
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(ready_begin_));
  ready_begin_ = 0;
}

void Machine::make_ready(Thread& thread) {
  thread.state = ThreadState::ready;
  ready_.push_back(&thread);
}

void Machine::fiber_body() {
  Machine::current().run_fiber();
}

void Machine::run_fiber() {
  for (;;) {
    entry_->invoke(entry_->kernel, arguments_);
    Fiber* const fiber = running_->fiber;
    thread_finished();
    Thread* const next = launch_ended_ ? nullptr : pick();
    if (next != nullptr && next->fiber == nullptr) {
      next->fiber = fiber;
      make_current(*next);
      continue;
    }
    fibers_.give_back(fiber);
    running_ = nullptr;
    if (next != nullptr) make_current(*next);
    switch_context(fiber->suspended, next != nullptr ? next->fiber->suspended : caller_);
  }
}

void Machine::run() {
  running_ = nullptr;
  if (Thread* const first = pick(); first != nullptr) switch_to(*first);
  running_ = nullptr;
  if (!launch_ended_ && blocks_left_ > 0) report_deadlock();
  if (stopped_) fibers_.abandon_all();
}

void Machine::block_finished(Block& block) {
  if (trace_) trace_->finish_block(block.slot);
  if (branches_) branches_->meet(block.slot);
  --blocks_left_;
  if (next_block_ < launch_->grid.count()) admit_block(block);
}

void Machine::end_slice(const void* site) {
  steps_ += static_cast<std::uint64_t>(slice_length_);
  const bool preempt = preemption_ != 0;
  slice_length_ = preemption_ == 0 ? longest_slice : 1 + static_cast<std::int64_t>(random_.below(2 * preemption_));
  slice_ = slice_length_;
  refill_blocks();
  if (steps_ > options_->limits.steps) {
    add(finding_by(FindingKind::hang, *running_, site,
                   fmt::format("the execution took more than {} steps", options_->limits.steps)));
    stop();
  }
  if (preempt) {
    running_->site = site;
    make_ready(*running_);
    give_way();
  }
}

void Machine::refill_blocks() {
  traced_blocks_ = 0;
  module_->table().watch->blocks_left = branches_ ? 0 : static_cast<std::int64_t>(options_->limits.blocks);
}

bool Machine::is_device_branch(const void* site) {
  enum : std::uint8_t { unknown, of_device, of_host };
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(site) - module_->base());
  if (offset >= comparisons_.size()) comparisons_.resize(offset + 1, unknown);
  if (comparisons_[offset] == unknown) {
    comparisons_[offset] = module_->line_of(site).file.starts_with("kernels/runtime/host/") ? of_host : of_device;
  }
  return comparisons_[offset] == of_device;
}

void Machine::comparison(const void* site, const void* frame) {
  const Thread& self = *running_;
  if (!is_device_branch(site)) site = nullptr;
  const auto* const bottom = static_cast<const std::byte*>(self.fiber->suspended.stack_bottom);
  branches_->compare(self.block->slot, self.warp->number, self.lane, site,
                     static_cast<std::uint32_t>(static_cast<const std::byte*>(frame) - bottom));
}

void Machine::basic_block(const void* site) {
  if (branches_) {
    branches_->enter(running_->block->slot, running_->warp->number, running_->lane, site);
    if (++traced_blocks_ <= options_->limits.blocks) return;
  }
  add(finding_by(FindingKind::hang, *running_, site,
                 fmt::format("{} basic blocks ran with hardly a memory access: a loop that does not end",
                             options_->limits.blocks)));
  stop();
}

void Machine::scheduling_point(const void* address, unsigned code, const void* site) {
  Thread& self = *running_;
  const bool store = (code & access_write) != 0;
  std::uint64_t value = 0;
  std::memcpy(&value, address, std::min<std::size_t>(code & access_size, sizeof(value)));
  const bool again = self.polled == address;
  const bool fruitless = store ? again && self.polled_value == value : true;
  self.polled = address;
  self.polled_value = value;
  fruitless_polls_ = fruitless ? fruitless_polls_ + 1 : 0;
  if (fruitless_polls_ > most_fruitless_polls) {
    {
      const auto place = reinterpret_cast<std::uintptr_t>(address);
      Spot spot = spot_of(place);
      Finding finding = finding_by(
          FindingKind::hang, self, site,
          fmt::format("threads poll memory that no thread changes any more, such as {}: what they wait for is "
                      "done by a block that has not started, or by nobody",
                      spot.words));
      finding.buffer = std::move(spot.buffer);
      finding.offset = spot.offset;
      finding.address = place;
      add(std::move(finding));
    }
    stop();
  }
  const bool gives_way = again && fruitless ? (!store || random_.below(4) == 0) : random_.below(16) == 0;
  if (!gives_way) return;
  self.site = site;
  make_ready(self);
  give_way();
}

void Machine::report_deadlock() {
  std::map<std::pair<std::string, int>, std::uint64_t> waiting;
  const Thread* first = nullptr;
  for (const auto& block : blocks_) {
    if (block->live == 0) continue;
    for (const Thread& thread : block->threads) {
      if (thread.state != ThreadState::at_barrier && thread.state != ThreadState::at_warp_operation) continue;
      if (first == nullptr) first = &thread;
      const auto source = module_->line_of(thread.site);
      const char* const where = thread.state == ThreadState::at_barrier ? "barrier" : "warp operation";
      ++waiting[{fmt::format("{} at {}:{}", where, source.file, source.line), 0}];
    }
  }
  stopped_ = true;
  if (first == nullptr) return;
  std::string message = "no thread can go on:";
  for (const auto& [place, count] : waiting) message += fmt::format(" {} wait in the {};", count, place.first);
  message.pop_back();
  add(finding_by(FindingKind::hang, *first, first->site, message));
}

}  // namespace warpwright::host
