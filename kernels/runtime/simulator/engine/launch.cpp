// Executions and launches: how they start, which blocks they admit, and how they end.
#include <map>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/launch_limits.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {
namespace {

/// A time interval of a thread that runs fibers is over.
void on_time(int, siginfo_t*, void* context) {
  Engine* const engine = Engine::current_if_any();
  if (engine != nullptr) engine->time_passed(Watchdog::interrupted_at(context));
}

}  // namespace

constinit thread_local Engine* Engine::current_ = nullptr;

Engine& Engine::of_this_thread() {
  thread_local Engine engine;
  current_ = &engine;
  return engine;
}

Engine::Engine() : AccessFaults(&Engine::fiber_body, &on_time) {
  memory_.stacks_begin = scheduler_.fibers().begin();
  memory_.stacks_bytes = scheduler_.fibers().bytes();
}

void Engine::begin(const Module& module, const SimulationOptions& options, Execution& execution, bool again) {
  module_ = &module;
  module_base_ = module.base();
  watch_ = module.table().watch;
  options_ = &options;
  execution_ = &execution;
  if (options.count_accesses) access_trace_.restart();
  trace_ = options.count_accesses ? &access_trace_ : nullptr;
  branches_.begin(module, options.count_accesses);
  findings_.begin(module, options, execution);
  // A kernel that may omit the reader's fence relies on the newest value.
  memory_.begin(module, options, !findings_.tolerates(StrictRule::one_sided_fence), again);
  warps_.begin();
  matrices_.begin(options);
  module.set_contraction(options.contracts.value_or(contracts_in(options.schedule.seed)));
  module.take_contracted();
  constexpr std::uint64_t most_clocks = std::uint64_t{1} << 30;
  clock_random_ = Random(~options.schedule.seed);
  clock_ = options.schedule.seed == 0 ? 0 : static_cast<long long>(clock_random_.next() % most_clocks);
  printed_ = 0;
  launch_ = nullptr;
  programmatic_.begin();
  scheduler_.begin(options, *watch_);
  loops_.begin(*watch_);
  counters_.begin(*watch_, {.blocks = options.limits.blocks, .steps = options.limits.steps});
  stopped_ = needs_held_grids_ = false;
}

void Engine::end() {
  execution_->thread_steps = scheduler_.steps();
  memory_.end();
  if (module_->take_contracted())
    findings_.hint([] {
      return "products and sums were rounded together here (fused multiply-add), as a GPU's compiler does by default";
    });
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
  for (const auto& [site, counts] : branches_.trace().sites()) {
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

void Engine::report(FindingKind kind, const std::string& entry, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.entry = entry;
  findings_.add(std::move(finding));
}

void Engine::draw_schedule(const Launch& launch) {
  const Schedule& schedule = options_->schedule;
  scheduler_.begin_launch();
  scheduler_.draw_order();
  // NaN and -1; a large number; and its negative, so that neither a maximum nor a minimum hides poison.
  constexpr int poisons[] = {0xff, 0x7e, 0xfe};
  const int poison = poisons[scheduler_.draw(3)];
  memory_.poison = options_->poison.value_or(poison);
  warps_.begin_launch(memory_.poison);
  scheduler_.draw_preemption();
  scheduler_.draw_pace();
  // The last one is more than the window of a warp's look-back.
  constexpr int residents[] = {2, 1, 3, 8, 40};
  const int resident = schedule.resident_blocks > 0 ? schedule.resident_blocks : residents[scheduler_.draw(5)];
  const bool holds_all = holds_small_grids_ && fits_on_one_multiprocessor(launch, options_->device);
  blocks_.begin_launch(launch, holds_all ? launch.grid.count() : static_cast<std::uint64_t>(resident), *options_);
  blocks_.set_order(static_cast<GridBlocks::Order>(scheduler_.draw(3)), scheduler_.random());
}

void Engine::launch(const ModuleEntry& entry, const Launch& launch, void** arguments) {
  if (std::string refusal = refusal_of(launch, options_->device); !refusal.empty()) {
    report(FindingKind::illegal_launch, launch.entry, std::move(refusal));
    stopped_ = true;
    return;
  }
  entry_ = &entry;
  launch_ = &launch;
  arguments_ = arguments;
  launch_ended_ = false;
  has_clusters_ = launch.cluster.count() > 1;
  findings_.begin_launch(launch);
  if (memory_.forget_if_worn_out()) blocks_.clear();
  const std::uint32_t previous = scheduler_.launches() == 0 ? 0 : memory_.detector.launch_start();
  memory_.stale.begin_launch(options_->schedule.seed, scheduler_.launches());
  memory_.early.begin_launch();
  memory_.detector.begin_launch(static_cast<std::uint32_t>(launch.block.count()),
                                memory_.check_races && memory_.stale.wanted(),
                                {.one_sided_fence = findings_.tolerates(StrictRule::one_sided_fence),
                                 .same_value_stores = findings_.tolerates(StrictRule::same_value_stores)});
  programmatic_.begin_launch(launch.programmatic && memory_.check_races, previous, memory_.detector.launch_start());
  *module_->table().runtime = programmatic_.is_on() ? &hooks_of_programmatic_launches() : &hooks();
  draw_schedule(launch);
  async_.begin_launch();
  products_.begin_launch();
  overflows_.begin_launch();
  loops_.begin_launch(blocks_.slots().size() * launch.block.count());
  std::uint64_t bytes = launch.shared_bytes;
  for (std::size_t i = 0; i < memory_.global.region_count(); ++i) bytes += memory_.global.region(i).bytes();
  counters_.begin_launch(bytes);
  memory_.shared.prepare(blocks_.slots().size(), launch.shared_bytes);
  built_ins_.block_extent = {launch.block.x, launch.block.y, launch.block.z};
  built_ins_.grid_extent = {launch.grid.x, launch.grid.y, launch.grid.z};
  built_ins_.cluster_extent = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
  if (Explorer* const explorer = scheduler_.explorer(); explorer != nullptr) {
    explorer->begin_launch(launch.grid.count() * launch.block.count(), launch.block.count());
    if (launch.programmatic || launch.cluster.count() > 1 || blocks_.slots().size() < launch.grid.count())
      explorer->give_up();
  }
  for (std::size_t slot = 0; slot < blocks_.slots().size(); ++slot) {
    Block& block = *blocks_.slots()[slot];
    block.slot = slot;
    block.window_end = reinterpret_cast<char*>(memory_.shared.window(slot + 1));
    admit(block);
  }
  scheduler_.run([this](Thread & thread) __attribute__((always_inline)) { resume(thread); });
  if (const Explorer* const explorer = scheduler_.explorer(); explorer != nullptr && explorer->is_redundant())
    launch_ended_ = stopped_ = true;
  if (!launch_ended_ && !blocks_.all_finished()) report_deadlock();
  execution_->basic_blocks += loops_.blocks();
  counters_.end_launch();
  if (stopped_) scheduler_.abandon_fibers();
  memory_.forget_shared_variables();
}

void Engine::admit(Block& block) {
  blocks_.admit(block);
  for (std::size_t array = 1; array < memory_.shared.array_count(); ++array) memory_.start_array(block, array);
  if (has_clusters_ && memory_.check_races) {
    // Times of other blocks do not tell that their accesses were to another block's memory.
    for (Shadow& shadow : block.shadows) shadow.forget_accesses();
    memory_.detector.forget_locations(memory_.shared.window(block.slot), SharedMemory::window_bytes);
  }
  if (trace_) {
    AccessTrace::Warp* const accesses = trace_->warps_of(block.slot, block.warps.size());
    BranchTrace::Warp* const branches = branches_.trace().warps_of(block.slot, block.warps.size());
    for (Warp& warp : block.warps) {
      warp.accesses = accesses + warp.number;
      warp.branches = branches + warp.number;
    }
  }
  if (memory_.sparse.is_used()) memory_.sparse.begin_block(block.number);
  scheduler_.add(block);
  if (memory_.check_races) memory_.detector.admit(block);
  execution_->threads += block.threads.size();
}

void Engine::block_finished(Block& block) {
  if (trace_) {
    trace_->meet_block(block.slot);
    branches_.meet(block);
  }
  for (const auto& next : blocks_.finish(block)) admit(*next);
}

void Engine::fiber_body() {
  Engine::current().run_fiber();
}

void Engine::run_fiber() {
  for (;;) {
    entry_->invoke(entry_->kernel, arguments_);
    Fiber* const fiber = running().fiber;
    thread_finished();
    scheduler_.finish(
        fiber, launch_ended_ ? nullptr : scheduler_.pick(), [this](Thread & thread) __attribute__((always_inline)) {
          resume(thread);
        });
  }
}

void Engine::thread_finished() {
  show_newest();
  if (findings_.watches_store()) [[unlikely]]
    findings_.settle_store();
  if (trace_ != nullptr) branches_.leave();
  Thread& self = running();
  Block& block = *self.block;
  self.state = ThreadState::finished;
  self.fiber = nullptr;
  loops_.note_change();
  counters_.disturb(self);
  if (!async_.is_idle()) [[unlikely]] {
    complete_stores();
    drop_unawaited_copies(self);
  }
  --block.live;
  if (!leave_products(self) || !leave_warp(self) || !leave_barrier(self)) {
    launch_ended_ = stopped_ = true;
    return;
  }
  leave_named_barriers(self);
  if (has_clusters_) leave_cluster(self);
  if (block.live == 0) block_finished(block);
}

}  // namespace warpwright::simulator
