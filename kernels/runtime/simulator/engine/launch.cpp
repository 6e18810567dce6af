// Launches: which threads run when, on which fiber, and when a launch is over.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::size_t stack_bytes = std::size_t{96} << 10;
// Two mappings each (stack and guard) stay below the system's usual limit of 65,530 for a process.
constexpr std::size_t most_fibers = most_cooperative_threads;
// A grid of more blocks runs in its natural order: the order of each would have to be stored.
constexpr std::uint64_t most_ordered_blocks = std::uint64_t{1} << 24;
constexpr std::size_t most_kept_shadow = std::size_t{1} << 29;
constexpr std::uint32_t most_threads_per_block = 1024;
constexpr std::uint32_t most_grid_y = 65'535, most_block_z = 64;
// More only where a kernel asks for a size that is not portable.
constexpr std::uint64_t most_blocks_per_cluster = 8;
constexpr int first_with_clusters = 90;
constexpr int constant_poison = 0xff;
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 31;

/// Blocks of that many threads that the device holds at a time, as far as threads are what limits it.
std::uint64_t most_resident(const Device& device, std::uint64_t threads) {
  const std::uint64_t whole_warps = (threads + 31) / 32 * 32;
  const std::uint64_t per_sm = std::min(static_cast<std::uint64_t>(device.max_blocks_per_sm),
                                        static_cast<std::uint64_t>(device.max_threads_per_sm) / whole_warps);
  return static_cast<std::uint64_t>(device.sm_count) * per_sm;
}

/// Divisions of integers that have no result trap on this processor, unlike on a GPU.
void on_division(int, siginfo_t* info, void*) {
  if (Engine* const machine = Engine::current_if_any()) machine->division_trapped(info->si_addr);
  ::signal(SIGFPE, SIG_DFL);  // of the program itself, which dies of it
}

/// A stretch of time of a thread that runs fibers is over.
void on_time(int, siginfo_t*, void* context) {
  Engine* const machine = Engine::current_if_any();
  if (machine != nullptr) machine->time_passed(Watchdog::interrupted_at(context));
}

/// Of the whole process. The handler is left by a switch to another context, so the signal stays unblocked.
void watch_divisions() {
  struct sigaction action {};
  action.sa_sigaction = on_division;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGFPE, &action, nullptr);
}

}  // namespace

constinit thread_local Engine* Engine::current_ = nullptr;

Engine& Engine::of_this_thread() {
  thread_local Engine machine;
  current_ = &machine;
  return machine;
}

Engine::Engine() : fibers_(stack_bytes, most_fibers, &Engine::fiber_body), stopwatch_(&on_time) {
  watch_divisions();
  stacks_begin_ = fibers_.begin();
  stacks_bytes_ = fibers_.bytes();
}

void Engine::begin(const Module& module, const SimulationOptions& options, Execution& execution) {
  module_ = &module;
  module_base_ = module.base();
  watch_ = module.table().watch;
  options_ = &options;
  execution_ = &execution;
  *module.table().runtime = &runtime_table();
  if (options.count_accesses) {
    access_trace_.restart();
    branch_trace_.restart();
  }
  trace_ = options.count_accesses ? &access_trace_ : nullptr;
  branches_ = options.count_accesses ? &branch_trace_ : nullptr;
  watch_->kinds = options.count_accesses ? module.comparisons() : nullptr;
  watch_->base = reinterpret_cast<const char*>(module_base_);
  watch_->compared = 0;
  followed_ = nullptr;
  check_races_ = options.check_races;
  check_initialised_ = options.check_initialised;
  known_findings_.clear();
  known_shifts_.clear();
  gave_poison_ = false;
  begin_lenience();
  clock_ = 0;
  printed_ = 0;
  launch_ = nullptr;
  shadows_.resize(std::max(shadows_.size(), memory_.region_count()));
  for (std::size_t i = 0; i < memory_.region_count(); ++i) {
    const Region& region = memory_.region(i);
    shadows_[i].resize(region.bytes(), check_races_ && !region.read_only);
  }
  uploaded_bytes_.assign(module.table().constant_count, 0);
  for (std::size_t i = 0; i < uploaded_bytes_.size(); ++i) {
    const ModuleConstant& constant = module.table().constants[i];
    std::memset(constant.address, options.poison.value_or(constant_poison), constant.bytes);
  }
  // Who does without the fence at the reader takes the newest value for granted.
  stale_.begin(is_lenient(StrictRule::one_sided_fence) ? Schedule{} : options.schedule);
  launches_ = steps_ = 0;
  slice_ = slice_length_ = 1;
  stopped_ = false;
}

void Engine::end() {
  execution_->thread_steps = steps_ + static_cast<std::uint64_t>(slice_length_ - slice_);
  std::size_t remembered = 0;
  for (const Shadow& shadow : shadows_) remembered += shadow.memory();
  if (remembered > most_kept_shadow) shadows_.clear();
  if (!trace_) return;
  std::map<std::pair<std::string, int>, AccessCounts> lines;
  for_each_site([&](const void* site, const AccessCounts& counts) {
    const auto source = module_->line_of(site);
    lines[{source.file, source.line}] += counts;
    execution_->access += counts;
  });
  for (const auto& [line, counts] : lines) execution_->lines.push_back({line.first, line.second, counts});
}

template <class Visit>
void Engine::for_each_site(Visit visit) const {
  for (const auto& [site, counts] : trace_->sites()) {
    if (counts != AccessCounts{}) visit(site, counts);
  }
  for (const auto& [site, counts] : branches_->sites()) {
    AccessCounts branches;
    branches.branches = counts.executed;
    branches.divergent_branches = counts.divergent;
    visit(module_base_ + site, branches);
  }
}

AccessCounts Engine::counts() const {
  AccessCounts total;
  if (trace_) for_each_site([&](const void*, const AccessCounts& counts) { total += counts; });
  return total;
}

void Engine::upload(const ModuleConstant& constant, const Region& from, std::size_t bytes) {
  std::memcpy(constant.address, from.data(), bytes);
  std::size_t& uploaded = uploaded_bytes_[static_cast<std::size_t>(&constant - module_->table().constants)];
  uploaded = std::max(uploaded, bytes);
}

bool Engine::is_legal(const Launch& launch) {
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
    return refuse(fmt::format("a grid of {} blocks is more than the simulator runs", grid.count()));
  }
  if (launch.shared_bytes > static_cast<std::uint32_t>(options_->device.shared_per_block_optin)) {
    return refuse(fmt::format("{} bytes of dynamic shared memory are over the limit of {} of {}", launch.shared_bytes,
                              options_->device.shared_per_block_optin, options_->device.arch()));
  }
  if (const Dim3& cluster = launch.cluster; cluster.count() != 1) {
    if (options_->device.compute_capability < first_with_clusters)
      return refuse(fmt::format("{} has no clusters of blocks", options_->device.arch()));
    if (cluster.count() == 0 || cluster.count() > most_blocks_per_cluster)
      return refuse(fmt::format("a cluster of {} x {} x {} blocks is over the limit of {}", cluster.x, cluster.y,
                                cluster.z, most_blocks_per_cluster));
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
      return refuse(fmt::format("a grid of {} x {} x {} blocks is no multiple of clusters of {} x {} x {}", grid.x,
                                grid.y, grid.z, cluster.x, cluster.y, cluster.z));
  }
  if (const std::uint64_t resident = most_resident(options_->device, block.count());
      launch.cooperative && grid.count() > resident) {
    return refuse(fmt::format("a cooperative launch of {} blocks, of which the device holds {} at a time", grid.count(),
                              resident));
  }
  if (launch.cooperative && grid.count() * block.count() > most_fibers) {
    return refuse(fmt::format("a cooperative launch of {} threads is more than the simulator runs together",
                              grid.count() * block.count()));
  }
  return true;
}

void Engine::draw_schedule(std::uint64_t blocks, bool cooperative) {
  const Schedule& schedule = options_->schedule;
  random_ = Random(schedule.seed * 0x2545f4914f6cdd1du + launches_++);
  const bool simple = schedule.seed == 0;
  const auto draw = [&](std::uint64_t bound) { return simple ? 0 : random_.below(bound); };
  order_ = static_cast<Order>(draw(4));
  // NaN and -1; a large number; its negative, so that neither maximum nor minimum hides it.
  constexpr int poisons[] = {0xff, 0x7e, 0xfe};
  poison_ = poisons[draw(3)];
  poison_ = options_->poison.value_or(poison_);
  constexpr std::int64_t preemptions[] = {0, 0, 40, 400};
  preemption_ = preemptions[draw(4)];

  // The last is more than a warp looks back over together.
  constexpr int residents[] = {2, 1, 3, 8, 40};
  const int wanted = schedule.resident_blocks > 0 ? schedule.resident_blocks : residents[draw(5)];
  constexpr std::uint64_t one = 1;
  const auto together = static_cast<std::uint64_t>(most_fibers / launch_->block.count());
  const std::uint64_t resident =
      cooperative
          ? blocks
          : std::max(std::min({blocks, static_cast<std::uint64_t>(wanted), together}) / cluster_, one) * cluster_;
  while (blocks_.size() < resident) blocks_.push_back(std::make_unique<Block>());
  blocks_.resize(resident);

  const auto block_orders = draw(3);
  block_order_.clear();
  if (const std::uint64_t clusters = blocks / cluster_; block_orders != 0 && clusters <= most_ordered_blocks) {
    block_order_.resize(clusters);
    std::iota(block_order_.begin(), block_order_.end(), 0u);
    if (block_orders == 1) std::reverse(block_order_.begin(), block_order_.end());
    if (block_orders == 2) random_.shuffle(block_order_);
  }
}

void Engine::launch(const ModuleEntry& entry, const Launch& launch, void** arguments) {
  if (!is_legal(launch)) return;
  entry_ = &entry;
  launch_ = &launch;
  arguments_ = arguments;
  launch_ended_ = false;
  fruitless_polls_ = 0;
  refill_blocks();
  blocks_left_ = launch.grid.count();
  cluster_ = launch.cluster.count();
  next_block_ = 0;
  ready_.clear();
  at_grid_.clear();
  blocks_at_grid_ = 0;
  ready_begin_ = 0;
  if (judge_.is_worn_out()) {
    for (Shadow& shadow : shadows_) shadow.forget_accesses();
    blocks_.clear();
    judge_.restart();
  }
  stale_.begin_launch(options_->schedule.seed, launches_);
  judge_.begin_launch(static_cast<std::uint32_t>(launch.block.count()), check_races_ && stale_.wanted(),
                      {.one_sided_fence = is_lenient(StrictRule::one_sided_fence),
                       .same_value_stores = is_lenient(StrictRule::same_value_stores)});
  draw_schedule(blocks_left_, launch.cooperative);
  async_copies_.clear();
  shared_.prepare(blocks_.size(), launch.shared_bytes);
  built_ins_.block_extent = {launch.block.x, launch.block.y, launch.block.z};
  built_ins_.grid_extent = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (std::size_t slot = 0; slot < blocks_.size(); ++slot) {
    blocks_[slot]->slot = slot;
    blocks_[slot]->window_end = reinterpret_cast<char*>(shared_.window(slot + 1));
    admit_block(*blocks_[slot]);
  }
  blocks_left_then_ = 0;
  stopwatch_.start();
  run();
  stopwatch_.stop();
  forget_shared_variables();
}

Index3 Engine::place_of_turn(std::uint64_t turn) const {
  const auto split = [](std::uint64_t number, const Dim3& extent) {
    return Index3{static_cast<unsigned>(number % extent.x), static_cast<unsigned>(number / extent.x % extent.y),
                  static_cast<unsigned>(number / extent.x / extent.y)};
  };
  const Dim3& size = launch_->cluster;
  const Dim3 clusters{launch_->grid.x / size.x, launch_->grid.y / size.y, launch_->grid.z / size.z};
  const std::uint64_t number = turn / cluster_;
  const Index3 cluster = split(block_order_.empty() ? number : block_order_[number], clusters);
  const Index3 member = split(turn % cluster_, size);
  return {cluster.x * size.x + member.x, cluster.y * size.y + member.y, cluster.z * size.z + member.z};
}

void Engine::admit_block(Block& block) {
  const Dim3& grid = launch_->grid;
  const Dim3& extent = launch_->block;
  block.index = place_of_turn(next_block_++);
  block.number = block.index.x + std::uint64_t{grid.x} * (block.index.y + std::uint64_t{grid.y} * block.index.z);
  const auto count = static_cast<std::uint32_t>(extent.count());
  block.threads.resize(count);
  block.warps.resize((count + 31) / 32);
  block.live = count;
  block.exited = 0;
  block.at_grid = 0;
  block.extras.resize(count);
  block.arrived.clear();
  block.phase_barriers.clear();
  for (std::size_t array = 1; array < shared_.array_count(); ++array) start_array(block, array);
  if (block.has_extras) std::fill(block.extras.begin(), block.extras.end(), ThreadExtras{});
  block.has_extras = false;
  AccessTrace::Warp* const accesses = trace_ ? trace_->warps_of(block.slot, block.warps.size()) : nullptr;
  BranchTrace::Warp* const branches = branches_ ? branches_->warps_of(block.slot, block.warps.size()) : nullptr;
  for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
    Warp& warp = block.warps[i];
    const std::uint32_t lanes = std::min(32u, count - i * 32);
    warp.lanes = &block.threads[i * 32];
    warp.number = i;
    warp.existing = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    warp.exited = 0;
    warp.groups.clear();
    warp.accesses = trace_ ? accesses + i : nullptr;
    warp.branches = branches_ ? branches + i : nullptr;
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
    thread.polled_low = ~std::uintptr_t{0};
    thread.polled_high = 0;
    thread.plain_loads = 0;
    thread.in_range = false;
    thread.compared = 0;
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

}  // namespace warpwright::simulator
