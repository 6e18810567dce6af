// The engine of the simulator: runs launches, and coordinates the units that schedule, check and count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/engine/access_faults.hpp"
#include "kernels/runtime/simulator/engine/signals.hpp"

namespace warpwright::simulator {

/// One per system thread, reused for later executions. Device code calls it on fibers, through `hooks()`; a call does
/// not return to a thread at fault.
class Engine : private AccessFaults {
 public:
  /// The engine of the calling system thread.
  static Engine& of_this_thread();
  /// The engine that runs an execution on this system thread.
  static Engine& current() { return *current_; }
  /// The same; null before the first one.
  static Engine* current_if_any() { return current_; }

  Engine();

  /// Starts an execution whose findings and counts go to `execution`; all three must outlive it. The buffers must be
  /// placed. `again`: the module's variables keep what the execution before left there.
  void begin(const Module& module, const SimulationOptions& options, Execution& execution, bool again = false);
  /// Ends the execution: fills in the counts.
  void end();
  MemoryState& memory() { return memory_; }
  const MemoryState& memory() const { return memory_; }
  /// Runs one launch to its end, or to its first fault. `arguments` points to the values of the entry's parameters.
  void launch(const ModuleEntry& entry, const Launch& launch, void** arguments);
  /// Adds a finding that no thread caused.
  void report(FindingKind kind, const std::string& entry, std::string message);
  /// Adds a finding about memory as the launches left it.
  void report_at(FindingKind kind, const Region& region, std::size_t offset, std::string message);
  /// Adds a finding about two accesses of the last launch that its arguments must not allow.
  void report_restrict(const Region& region, std::size_t offset, const AccessRecord& store, const AccessRecord& other,
                       std::string message);
  /// The memory requests of the launches so far, if they are counted.
  AccessCounts counts() const;
  /// Atomic updates since the last call, if they are counted.
  std::vector<AtomicCounts> take_atomics() { return trace_ ? trace_->take_atomics() : std::vector<AtomicCounts>{}; }
  /// See WarpUnit; empty if no shuffle returned poison.
  std::optional<unsigned char> given_poison() const {
    return warps_.gave_poison() ? std::optional(warps_.poison()) : std::nullopt;
  }
  /// From the next launch on, all blocks of a grid that fits on one multiprocessor are resident, or those that the
  /// schedule says.
  void hold_small_grids(bool holds) { holds_small_grids_ = holds; }
  /// Whether a launch of the execution hangs although that would let its blocks go on.
  bool needs_held_grids() const { return needs_held_grids_; }
  /// From the next execution on, all launches are explored by it; null: none.
  void explore_with(Explorer* explorer) { scheduler_.explore_with(explorer); }
  /// Whether a fault ended the execution.
  bool stopped() const { return stopped_; }

  // For device code: see Runtime in cpu_model/interface.cuh.
  void access(const void* address, unsigned code, const void* site);
  void compare_and_swap(const void* address, unsigned code, std::uint64_t expected, const void* site);
  void access_range(const void* address, std::uint64_t bytes, unsigned code, const void* site);
  void fill(void* to, int byte, std::uint64_t bytes, const void* site);
  void copy(void* to, const void* from, std::uint64_t bytes, const void* site);
  const BuiltIns& built_ins() const { return built_ins_; }
  void* shared_variable(SharedVariable& variable);
  void bad_index(const IndexedArray& array, long long index, const void* site);
  void overflow(const Overflow& found);
  void wide_shift(long long by, unsigned bits, const void* site);
  void outside_variable(const void* address, const void* site);
  int sync_threads(BarrierReduction reduction, int predicate, const void* site, const void* frame);
  void named_barrier(const NamedBarrierCall& call, const void* site, const void* frame);
  void* map_shared(const void* pointer, unsigned rank, const void* site);
  unsigned rank_of_shared(const void* pointer, const void* site);
  void cluster_arrive(bool releases, const void* site);
  void cluster_wait(const void* site);
  void sync_grid(const void* site, const void* frame);
  unsigned long long warp_operation(WarpCall call, unsigned long long value, const void* site);
  unsigned active_mask() const { return 1u << running().lane; }
  void fence(Scope scope, bool is_sequential, const void* site);
  Space space_of(const void* pointer) const { return memory_.space_of(pointer, running()); }
  void async_copy(void* to, const void* from, unsigned bytes, const void* site);
  void async_commit();
  void async_wait(unsigned pending);
  void bulk_copy(void* to, const void* from, unsigned bytes, void* barrier, unsigned blocks, const void* site);
  void bulk_copy_box(void* to, const BoxAt& box, void* barrier, unsigned blocks, const void* site);
  void store_async(void* to, const void* value, unsigned bytes, void* barrier, const void* site);
  void bulk_store(void* to, const void* from, unsigned bytes, const void* site, ElementReduction elements = {});
  void bulk_store_box(const BoxAt& box, const void* from, const void* site);
  void bulk_commit();
  void bulk_wait(unsigned pending, bool is_all);
  void barrier_copy(void* to, const void* from, unsigned bytes, void* barrier, const void* site);
  void fence_async(bool of_barriers);
  void phase_init(void* barrier, unsigned arrivals, const void* site);
  unsigned phase_arrive(void* barrier, unsigned arrivals, unsigned expected_bytes, const void* site);
  void phase_arrive_copied(void* barrier, const void* site);
  bool phase_done(void* barrier, unsigned parity, const void* site);
  void wait_for_previous_launch();
  /// An access by a programmatic launch.
  void check_early(const void* address, std::uint64_t bytes, bool writes, const void* site);
  void pause(const void* site);
  [[noreturn]] void trap(const void* site);
  [[noreturn]] void assertion_failed(const char* condition, const void* site);
  void no_model(const char* what, const void* site);
  long long clock(const void* site);
  void print(std::string_view text);
  void require_cooperative_launch(const void* site);
  void classify(const void* comparison) { branches_.classify(comparison); }
  void branches_full() { branches_.make_room(); }
  void block_begun(const void* site, const void* frame, const void* registers);
  void compared(const Compared& values);
  // For signal handlers. They return where device code is not to blame.
  void division_trapped(const void* instruction);
  void segfaulted(const Segfault& fault);
  void time_passed(const void* instruction);

 private:
  template <class Visit>
  void for_each_site(Visit visit) const;

  // Launches: launch.cpp.
  void draw_schedule(const Launch& launch);
  void admit(Block& block);
  void block_finished(Block& block);
  bool is_code(const void* at) const { return module_->contains(at) && !module_->is_writable(at); }
  /// The running thread has no stack left. Returns if device code is not to blame.
  void stack_filled(const Segfault& fault, const StackOfFiber& stack);
  static void fiber_body();
  void run_fiber();
  void thread_finished();

  // Steps: steps.cpp, switch.hpp.
  void count_step(const void* site) {
    if (scheduler_.step()) end_slice(site);
  }
  void end_slice(const void* site);
  void scheduling_point(const void* pointer, unsigned code, const void* site);
  /// The same for a visible step where all schedules are explored; see Explorer.
  void explore_step(const Explorer::Step& step);
  /// Whether a strong store comes before the newest one.
  bool chooses_store_before_newest(const StrongSite& at);
  /// The older value that a strong load returns; null for the newest.
  const OldValue* chosen_value(const StrongSite& at);
  /// `waits`: perhaps for one of them.
  void let_others_run(const void* site, bool waits = false);
  void resume(Thread& thread);
  void give_way();
  void report_deadlock();
  /// Ends the launch: that a thread does not end is not known.
  [[noreturn]] void stop_at_limit(std::uint64_t limit, const char* of_what, const void* site);
  /// Ends the launch if no thread can go on but in circles.
  void check_loops(const void* site);

  // Accesses: access.cpp, check_access.hpp, access_faults.cpp, weak_loads.cpp.
  /// An address in a buffer or in a shared array.
  struct CheckedAddress {
    std::uintptr_t address;
    std::size_t number, offset;  ///< the buffer or array, and bytes from its beginning
    bool shared;
  };
  /// For what is on no thread's stack.
  [[gnu::noinline]] void access_memory(const void* pointer, unsigned code, const void* site);
  /// Adds an access to the trace. Not inline: `access` has fewer values to keep without it.
  [[gnu::noinline]] void count_access(const CheckedAddress& at, unsigned code, const void* site);
  /// Checks an access while asynchronous copies or products are under way. Not inline, for the same reason.
  [[gnu::noinline]] void check_under_way(std::uintptr_t address, std::size_t size, bool shared, unsigned code,
                                         const void* site);
  /// For an access in bounds: checks whether it reads uninitialised memory, or races.
  void check_access(const ShadowRange& range, std::uintptr_t address, std::size_t size, unsigned code,
                    const void* site);
  /// The same where only some blocks run.
  void check_sparse(std::size_t offset, std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  /// The number of the module's variable that is accessed there.
  std::size_t variable_at(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  /// A store while it is looked for loops.
  void note_store(const void* pointer, std::size_t size);
  void synchronise(const StrongSite& at, const void* site);
  /// Whether the access is a load that returns what another thread stores later; see EarlyLoads.
  bool is_early_load(const StrongSite& at);
  /// Shows the running thread's next load an older value; its next step restores the newest.
  void show(const StrongSite& at, const OldValue& value, const void* site);
  /// The store that follows comes before the newest one.
  void store_before_newest(const StrongSite& at, const void* site);

  // Asynchronous copies: async_operations.cpp.
  void check_piece(void* to, const void* from, unsigned bytes, const void* site);
  void access_both(void* to, const void* from, std::size_t bytes, unsigned code, const void* site);
  /// When asynchronous copies happen, and which threads meet at a barrier with a number, is not explored.
  void stop_exploring() {
    if (scheduler_.explorer() != nullptr) scheduler_.explorer()->give_up();
  }
  /// Starts a bulk copy to shared memory whose source was checked: for all of `blocks`, see Runtime.
  void start_bulk(AsyncCopy copy, unsigned blocks, const void* site);
  void start_bulk(AsyncCopy copy, const void* site);
  /// Checks what a bulk copy reads in shared memory.
  void check_shared_source(std::uintptr_t from, std::size_t bytes, const void* site);
  /// A copy of that box. The address is the one in shared memory. Ends the launch if there is no such box.
  AsyncCopy copy_of_box(const BoxAt& box, const void* shared, bool is_store, const void* site);
  /// Checks the accesses of a store, and starts it.
  void start_store(const AsyncCopy& copy, const void* site);
  /// The running thread leaves the kernel. Its stores that have read their sources are complete at the end of the
  /// launch, and nobody knows it before.
  void complete_stores();
  void check_landing(const AsyncCopy& copy);
  /// Checks accesses of the running thread that bulk copies make for it.
  void check_bulk(std::uintptr_t address, std::size_t bytes, unsigned code, const void* site);
  PhaseBarrier& phase_barrier_at(void* barrier, unsigned code, const void* site);
  /// Arrivals that make the phase expect so many more copied bytes. Returns the phase's parity.
  unsigned arrive(std::uintptr_t address, PhaseBarrier& barrier, unsigned arrivals, std::size_t bytes,
                  const void* site);
  void complete_phase(std::uintptr_t address, PhaseBarrier& barrier);

  // Clusters: clusters.cpp.
  std::uint64_t blocks_of_cluster() const { return launch_->cluster.count(); }
  /// The block of the running thread's cluster in whose shared memory the address lies; the own one if there is none.
  Block& owner_of(std::uintptr_t address);
  /// Ends the launch if that block's shared memory cannot be used now.
  void check_owner(const Block& owner, std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  void complete_cluster_barrier(ClusterBarrier& barrier, std::size_t slot);
  void leave_cluster(const Thread& self);

  // Barriers by number: named_barriers.cpp.
  /// Ends the launch if the call is wrong.
  void check_named_barrier(const NamedBarrierCall& call, const void* site);
  void refuse_barrier(const void* site, const Thread* other, const void* other_site, std::string message);
  /// Lets those threads go on that have waited for enough warps.
  void complete_named_barrier(Block& block, NamedBarrier& barrier);
  /// The thread has left the kernel; its warp may now be complete somewhere.
  void leave_named_barriers(const Thread& self);

  // Synchronisation: barriers.cpp, warp_operations.cpp.
  void check_barrier(BarrierReduction reduction, const void* site);
  template <class Words>
  Finding divergence_at(const void* site, const Thread& other, const void* other_site, Words words) const;
  void release_barrier(Block& block);
  /// Handles a thread's exit for waiting threads of its block, or warp; false if it is a fault.
  bool leave_barrier(const Thread& self);
  bool leave_warp(const Thread& self);
  [[noreturn]] void refuse_call(const WarpCall& call, const void* site);
  void tolerate_absent_lanes(const WarpCall& call, std::uint32_t absent, const void* site);
  /// Before the running thread takes part in an operation of matrix units: reads its row, and compares the operation
  /// with that of the lanes that wait.
  void begin_matrix_operation(const WarpCall& call, unsigned long long value, const void* site);
  /// The running thread's row of 16 bytes in a load or store of matrices.
  bool has_row(const MatrixRows& rows) const;
  void access_row(const MatrixRows& rows, unsigned code, const void* site);
  void store_row(const MatrixRows& rows, const void* site);
  void complete(Warp& warp, std::size_t group);

  // Products by warpgroups: warpgroup_operations.cpp.
  /// Before the running thread, a lane of its warp, starts a product.
  void begin_product(const WarpgroupProduct& product, const void* site);
  void check_fence(const void* registers, std::size_t bytes, const WarpgroupProduct& product, const void* site);
  void read_operands(const WarpgroupProduct& product, const void* site);
  /// That a product, or null: a store of a bulk copy, sees what ordinary stores left in 16 bytes of shared memory.
  void check_proxy(std::uintptr_t address, const WarpgroupProduct* product, const void* site);
  /// All lanes of a warp have arrived at the operation.
  void complete_warpgroup_operation(Warp& warp, WarpOperation operation);
  /// What a lane does after that.
  void finish_warpgroup_operation(const WarpCall& call, const void* site);
  /// Before the running thread, a lane of its warp, ends a group of products.
  void begin_commit();
  /// Notes for other threads, or learns, what happened before the products of a group.
  void order_products(Thread& thread, std::size_t group, unsigned code);
  void compute_products(const Thread& thread, std::uint64_t number);
  void wait_for_products(unsigned pending);
  void change_registers(int count, bool takes, const void* site);
  void wait_in(std::vector<Thread*>& waiting);
  /// An access of the running thread to its stack.
  void touch_registers(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  bool leave_products(const Thread& self);

  static constinit thread_local Engine* current_;

  Signals signals_;
};

/// The functions through which modules call the engine of their system thread.
const Runtime& hooks();
/// The same for a launch that may begin before the one before it is complete: accesses are checked for that first.
const Runtime& hooks_of_programmatic_launches();

}  // namespace warpwright::simulator
