// The machine that runs launches: schedules the threads of resident blocks on fibers and judges what they do.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/module/module.hpp"
#include "kernels/runtime/simulator/races/race_detector.hpp"
#include "kernels/runtime/simulator/races/stale_loads.hpp"
#include "kernels/runtime/simulator/results/execution.hpp"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/async_copies.hpp"
#include "kernels/runtime/simulator/state/fiber.hpp"
#include "kernels/runtime/simulator/state/global_memory.hpp"
#include "kernels/runtime/simulator/state/shadow.hpp"
#include "kernels/runtime/simulator/state/shared_memory.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"
#include "kernels/runtime/simulator/state/watchdog.hpp"
#include "kernels/runtime/simulator/trace/access_trace.hpp"
#include "kernels/runtime/simulator/trace/branch_trace.hpp"

namespace warpwright::simulator {

/// One per system thread, kept from one execution to the next. Functions below "for device code" are called on fibers;
/// they do not return to a thread that is at fault.
class Engine {
 public:
  /// The machine of the calling system thread.
  static Engine& of_this_thread();
  /// The machine that runs an execution on this system thread.
  static Engine& current() { return *current_; }
  /// The same; null before the first one.
  static Engine* current_if_any() { return current_; }

  Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Starts an execution whose findings and counts go to `execution`; all three outlive it.
  void begin(const Module& module, const SimulationOptions& options, Execution& execution);
  /// Ends it: fills the counts in.
  void end();
  GlobalMemory& memory() { return memory_; }
  /// What is remembered about the plan's buffer of that number.
  Shadow& shadow(std::size_t buffer) { return shadows_[buffer]; }
  /// Runs one launch to its end, or to its first fault. `arguments` points to the values of the entry's parameters.
  void launch(const ModuleEntry& entry, const Launch& launch, void** arguments);
  /// Adds a finding that no thread is to blame for.
  void report(FindingKind kind, const std::string& entry, std::string message);
  /// Adds a finding about what the launches left there.
  void report_at(FindingKind kind, const Region& region, std::size_t offset, std::string message);
  /// Writes the first bytes of a constant of the module.
  void upload(const ModuleConstant& constant, const Region& from, std::size_t bytes);
  /// What the last launch touched of the plan's buffer of that number, as far as races were looked for.
  std::vector<Touched> touched_by_launch(std::size_t buffer) const;
  /// What the launches so far asked of the memory system, if that is counted.
  AccessCounts counts() const;
  /// Atomic updates since the last call, likewise.
  std::vector<AtomicCounts> take_atomics() { return trace_ ? trace_->take_atomics() : std::vector<AtomicCounts>{}; }
  /// Every byte of what shuffles give that read a lane which takes no part, if any did so; see uninitialised_byte.
  std::optional<unsigned char> given_poison() const {
    return gave_poison_ ? std::optional(shuffle_poison()) : std::nullopt;
  }
  /// Whether a fault ended the execution.
  bool stopped() const { return stopped_; }

  // For device code.
  void access(const void* address, unsigned code, const void* site);
  void compare_and_swap(const void* address, unsigned code, std::uint64_t expected, const void* site);
  void access_range(const void* address, std::uint64_t bytes, unsigned code, const void* site);
  void fill(void* to, int byte, std::uint64_t bytes, const void* site);
  void copy(void* to, const void* from, std::uint64_t bytes, const void* site);
  const BuiltIns& built_ins() const { return built_ins_; }
  void* shared_variable(SharedVariable& variable);
  void bad_index(const IndexedArray& array, long long index, const void* site);
  void wide_shift(long long by, unsigned bits, const void* site);
  void outside_variable(const void* address, const void* site);
  int sync_threads(BarrierReduction reduction, int predicate, const void* site, const void* frame);
  void sync_grid(const void* site, const void* frame);
  unsigned long long warp_operation(WarpCall call, unsigned long long value, const void* site);
  unsigned active_mask() const { return 1u << running_->lane; }
  void fence(Scope scope, const void* site);
  Space space_of(const void* pointer) const;
  void async_copy(void* to, const void* from, unsigned bytes, const void* site);
  void async_commit();
  void async_wait(unsigned pending);
  void bulk_copy(void* to, const void* from, unsigned bytes, void* barrier, const void* site);
  void barrier_copy(void* to, const void* from, unsigned bytes, void* barrier, const void* site);
  void fence_async();
  void phase_init(void* barrier, unsigned arrivals, const void* site);
  unsigned phase_arrive(void* barrier, unsigned expected_bytes, const void* site);
  bool phase_done(void* barrier, unsigned parity, const void* site);
  void pause(const void* site);
  [[noreturn]] void trap(const void* site);
  [[noreturn]] void assertion_failed(const char* condition, const void* site);
  /// The processor trapped at that instruction: returns where it is none of device code.
  void division_trapped(const void* instruction);
  /// The running thread has used a stretch of the processor's time and is at that instruction.
  void time_passed(const void* instruction);
  void no_model(const char* what, const void* site);
  /// Rises with every call, which also lets other threads run.
  long long clock(const void* site);
  /// Writes to the standard error stream, and says where an execution prints more than that much.
  void print(std::string_view text);
  void require_cooperative_launch(const void* site);
  void classify(const void* comparison);
  void branches_full();
  [[noreturn]] void endless(const void* site);

 private:
  /// Calls `visit(site, counts)` for what was counted, of each place in the module.
  template <class Visit>
  void for_each_site(Visit visit) const;
  enum class Order { natural, reversed, shuffled, random };
  struct MemoryLocation {
    std::string buffer;
    std::int64_t offset = 0;
    std::string words;  ///< the address in words, for a message
  };

  // Scheduling: launch.cpp.
  static void fiber_body();
  void run_fiber();
  bool is_legal(const Launch& launch);
  void draw_schedule(std::uint64_t blocks, bool cooperative);
  /// A cluster is admitted block by block, to slots side by side.
  void admit_block(Block& block);
  /// The place in the grid of the block that is admitted as number `turn`.
  Index3 place_of_turn(std::uint64_t turn) const;
  void run();
  // Inline in switch.hpp: every return after a switch is one that the processor predicts wrongly.
  Thread* pick();
  void make_current(Thread& thread);
  void switch_to(Thread& next);
  void make_ready(Thread& thread);
  /// Suspends the running thread; its state says why.
  void give_way();
  void forget_started();
  void thread_finished();
  void block_finished(Block& block);
  void report_deadlock();
  /// Of all that lets other threads run, or touches memory.
  void count_step(const void* site) {
    if (--slice_ <= 0) end_slice(site);
  }
  void end_slice(const void* site);
  void refill_blocks();
  /// The module notes the branches of this thread, after those that it has.
  void follow_branches(Thread& thread);
  /// Takes over what it noted, and that it waits for the outcome of one.
  void leave_branches();
  /// All threads of the block have arrived at one place.
  void meet(Block& block);
  void scheduling_point(const void* address, unsigned code, const void* site);

  // Judging: access.cpp.
  void check_other_memory(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  [[noreturn]] void out_of_bounds(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  [[noreturn]] void misaligned(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  struct Remembered {
    Shadow& shadow;
    std::size_t offset;
    bool shared;
  };
  /// Initialisation and races; the address is that of an access that was found in bounds.
  void judge(const Remembered& memory, std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  Remembered remembered_at(std::uintptr_t address);
  /// Behind an atomic or volatile access: what it orders. A load may be shown an older value.
  void synchronise(const StrongSite& at, const void* site);
  /// Shows the running thread's next load what was there before, which its next call of the machine takes back.
  void show(const StrongSite& at, const OldValue& value, const void* site);
  void show_newest();
  /// Notes what a wrong result may come from.
  template <class Make>
  void note(Make make);
  void uninitialised(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  void race(const Race& race, std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  /// Nobody wrote to the shared array of the block.
  void start_array(Block& block, std::size_t array);
  /// What device code knows of its shared memory is over with the launch.
  void forget_shared_variables();
  void input_written(const Region& region, std::uintptr_t address, const void* site);
  MemoryLocation spot_of(std::uintptr_t address) const;
  /// Says where in memory it was.
  static void at_spot(Finding& finding, MemoryLocation spot, std::uintptr_t address);
  std::string name_of_array(const SharedMemory::Array& array) const;
  Place place_of(const Thread& thread, const void* site) const;
  Place place_of(const AccessRecord& record) const;
  /// Of the running thread: other threads' are theirs alone.
  bool is_local(std::uintptr_t address) const;
  /// Words about an access out of bounds that looks like one through an uninitialised local; empty where it does not.
  std::string hint_at_locals(std::uintptr_t address, std::size_t size) const;
  static std::string hint_at_locals(std::int64_t index);
  Finding finding_by(FindingKind kind, const Thread& thread, const void* site, std::string message) const;
  /// Adds a finding that ends the launch.
  void add(Finding finding);
  /// Adds one that does not, if it is the first between these two sites and there are not too many.
  template <class Make>
  void add_once(FindingKind kind, const void* site, const void* other_site, Make make);

  // What the execution is lenient about: lenience.cpp.
  /// A store that races with another one, to be looked at when it is done: whether it changes what is there.
  struct RacingStore {
    Finding finding;
    const void* site = nullptr;
    const void* other_site = nullptr;
    const void* address = nullptr;
    std::size_t size = 0;
    std::array<std::byte, 16> before{};
  };
  bool is_lenient(StrictRule rule) const { return (lenient_ >> static_cast<unsigned>(rule) & 1U) != 0; }
  /// Whether threads that have left are taken for arrived.
  bool accepts_exits() const { return options_->accept_exited_threads || is_lenient(StrictRule::early_exit); }
  void begin_lenience();
  /// Of a thread that waits, or is waited for, where one has left: whether that is let pass. Else it is a finding.
  template <class Make>
  bool forgives_exit(const void* site, Make make);
  /// Notes what is no finding, if it is the first between these two sites.
  template <class Make>
  void allow(StrictRule rule, const void* site, const void* other_site, Make make);
  void watch_store(Finding finding, const void* site, const void* other_site, std::uintptr_t address, std::size_t size);
  /// The running thread's racing store is done.
  void settle_store();
  void allow_absent_lanes(const WarpCall& call, std::uint32_t absent, const void* site);
  /// Ends the launch; the running thread never goes on.
  [[noreturn]] void stop();

  // Asynchronous copies: async.cpp.
  /// A copy of a piece that asynchronous copies move.
  void check_piece(void* to, const void* from, unsigned bytes, const void* site);
  void access_both(void* to, const void* from, std::size_t bytes, unsigned code, const void* site);
  AccessRecord record_of(const void* site) const;
  void start_transfer(void* to, const void* from, std::size_t bytes, std::uintptr_t barrier, const void* site);
  /// An access of memory that a copy under way writes, or a store to memory that it reads.
  void disturbed(const AsyncCopy& transfer, std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  /// Copies that the thread, or its block, leaves behind.
  void leave_transfers(const Thread& thread);
  [[noreturn]] void misaligned_copy(const void* to, const void* from, std::size_t bytes, const char* rule,
                                    const void* site);
  /// The block's barrier at that address, after an access to it.
  PhaseBarrier& phase_barrier_at(void* barrier, unsigned code, const void* site);
  /// Begins the next phase where all has arrived that this one waits for.
  void complete_phase(std::uintptr_t address, PhaseBarrier& barrier);
  void not_fenced(std::uintptr_t address, const PhaseBarrier& barrier, const void* site);
  void check_expected_bytes(std::uintptr_t address, const PhaseBarrier& barrier, const void* site);

  // Synchronisation: barriers.cpp.
  /// Says what is wrong with a barrier, if anything is.
  void check_barrier(BarrierReduction reduction, const void* site);
  /// The running thread and another one are at places that divide their block, as `words(finding)` say.
  template <class Words>
  Finding divergence_at(const void* site, const Thread& other, const void* other_site, Words words) const;
  template <class Words>
  [[noreturn]] void refuse_barrier(const void* site, const Thread& other, const void* other_site, Words words);
  void release_barrier(Block& block);
  void release_grid();
  /// What a thread's end means for those of its block, or warp, that wait; false where they wait for it.
  bool leave_barrier(const Thread& self);
  bool leave_warp(const Thread& self);

  // Warp operations: warps.cpp.
  [[noreturn]] void refuse_mask(const WarpCall& call, const void* site);
  /// Gives all lanes of a group of the warp their results, and lets them go on.
  void complete(Warp& warp, std::size_t number);
  /// What a shuffle gives that reads a lane which takes no part.
  std::uint64_t poison_from(unsigned source, const Thread& thread, const WarpGroup& group);
  bool same_source(const void* a, const void* b) const;

  static constinit thread_local Engine* current_;

  FiberPool fibers_;
  GlobalMemory memory_;
  SharedMemory shared_;
  std::vector<std::pair<SharedVariable*, SharedVariable>> shared_variables_;  ///< of the launch, and as they were
  std::vector<Shadow> shadows_;                                               ///< of the plan's buffers
  AsyncCopies async_copies_;
  RaceDetector judge_;
  StaleLoads stale_;
  bool check_races_ = false, check_initialised_ = false;
  std::set<std::tuple<FindingKind, const void*, const void*>> known_findings_;
  std::uintptr_t stacks_begin_ = 0, stacks_bytes_ = 0;

  const Module* module_ = nullptr;
  const std::byte* module_base_ = nullptr;
  Watch* watch_ = nullptr;  ///< the module's
  const SimulationOptions* options_ = nullptr;
  Execution* execution_ = nullptr;
  AccessTrace access_trace_;
  BranchTrace branch_trace_;
  AccessTrace* trace_ = nullptr;  ///< these two while accesses are counted
  BranchTrace* branches_ = nullptr;
  Thread* followed_ = nullptr;  ///< whose branches the module notes

  const ModuleEntry* entry_ = nullptr;
  const Launch* launch_ = nullptr;
  void** arguments_ = nullptr;
  std::uint64_t launches_ = 0, blocks_left_ = 0, next_block_ = 0;
  std::uint64_t cluster_ = 1;                ///< blocks of a cluster
  std::vector<std::uint32_t> block_order_;   ///< of clusters
  std::vector<std::size_t> uploaded_bytes_;  ///< of the module's constants
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Thread*> at_grid_;    ///< those that wait for the whole grid
  std::size_t blocks_at_grid_ = 0;  ///< of which all threads do
  std::vector<Thread*> ready_;
  std::size_t ready_begin_ = 0;
  Thread* running_ = nullptr;
  BuiltIns built_ins_{};
  Suspended caller_;
  bool stopped_ = false, launch_ended_ = false;
  bool gave_poison_ = false;
  Watchdog stopwatch_;
  std::int64_t slice_then_ = 0, blocks_left_then_ = 0;  ///< when that last happened

  Random random_;
  Order order_ = Order::natural;
  int poison_ = 0;
  /// A large number, or its negative, so that neither maximum nor minimum hides it.
  unsigned char shuffle_poison() const { return poison_ == 0x7e ? 0x7e : uninitialised_byte; }
  unsigned lenient_ = 0;  ///< a bit for each rule
  std::set<std::tuple<StrictRule, const void*, const void*>> known_allowed_;
  std::set<const void*> known_shifts_;
  std::optional<RacingStore> racing_store_;
  std::int64_t preemption_ = 0;  ///< steps between preemptions, on average; 0: none
  std::int64_t slice_ = 0, slice_length_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t fruitless_polls_ = 0;
  long long clock_ = 0;
  std::size_t printed_ = 0;  ///< bytes of this execution
};

template <class Make>
void Engine::add_once(FindingKind kind, const void* site, const void* other_site, Make make) {
  if (execution_->findings.size() >= static_cast<std::size_t>(std::max(options_->limits.findings, 1))) return;
  if (known_findings_.emplace(kind, std::min(site, other_site), std::max(site, other_site)).second) add(make());
}

template <class Make>
void Engine::note(Make make) {
  constexpr std::size_t most_notes = 4;
  ++execution_->note_count;
  if (execution_->notes.size() < most_notes) execution_->notes.push_back(make());
}

template <class Make>
void Engine::allow(StrictRule rule, const void* site, const void* other_site, Make make) {
  if (known_allowed_.emplace(rule, std::min(site, other_site), std::max(site, other_site)).second)
    execution_->allowed.push_back({.rule = rule, .finding = make()});
}

template <class Make>
bool Engine::forgives_exit(const void* site, Make make) {
  if (options_->accept_exited_threads) return true;
  if (is_lenient(StrictRule::early_exit))
    allow(StrictRule::early_exit, site, nullptr, make);
  else
    add(make());
  return is_lenient(StrictRule::early_exit);
}

/// The functions through which modules reach the machine of the system thread they run on.
const Runtime& runtime_table();

}  // namespace warpwright::simulator
