// The interface between a compiled module of device code and the simulator: plain types and a table of functions.
#pragma once

/// Marks a function or lambda whose own loads and stores call no hooks, because it reports them to the simulator
/// itself. (g++ requires the attribute at this position; clang only reads these headers.)
#ifdef __clang__
#define WARPWRIGHT_UNTRACED no_sanitize("thread"), no_sanitize("coverage")
#define WARPWRIGHT_UNTRACED_LAMBDA
// clang lacks these built-ins, and never runs this code.
#define __builtin_exp10 __builtin_exp2
#define __builtin_exp10l __builtin_exp2l
#define __builtin_j0 __builtin_cos
#define __builtin_j1 __builtin_cos
#define __builtin_j0l __builtin_cosl
#define __builtin_j1l __builtin_cosl
#define __builtin_y0l __builtin_cosl
#define __builtin_y1l __builtin_cosl
#define __builtin_jn __builtin_pow
#define __builtin_jnl __builtin_powl
#define __builtin_ynl __builtin_powl
#else
#define WARPWRIGHT_UNTRACED no_sanitize("thread", "signed-integer-overflow"), no_sanitize_coverage
#define WARPWRIGHT_UNTRACED_LAMBDA __attribute__((WARPWRIGHT_UNTRACED))
#endif
#define WARPWRIGHT_UNSEEN __attribute__((noinline, WARPWRIGHT_UNTRACED))
// For a loop that waits: its basic blocks are counted, so that a wait that never ends is found as a hang.
#define WARPWRIGHT_WAITING __attribute__((noinline, no_sanitize("thread")))

namespace warpwright::simulator {

/// To be raised when modules that were built against older versions of these headers can no longer run.
inline constexpr unsigned interface_version = 18;

template <class T>
struct Same {
  using type = T;
};
/// T, not deduced from an argument.
template <class T>
using same = typename Same<T>::type;

struct Index3 {
  unsigned x, y, z;
};

/// The built-in variables of the running thread.
struct BuiltIns {
  Index3 thread_index, block_index, block_extent, grid_extent;
  Index3 cluster_extent;  ///< blocks of a cluster
};

/// The kind of an access: the size in bytes in the low bits, and these flags.
enum AccessCode : unsigned {
  access_size = 0xffu,
  access_write = 1u << 8,
  access_volatile = 1u << 9,   ///< relaxed: no race with others like it, orders nothing
  access_atomic = 1u << 10,    ///< read-modify-write, or a relaxed load or store
  access_readonly = 1u << 11,  ///< through the read-only cache
  access_acquire = 1u << 12,
  access_release = 1u << 13,
  access_newest = 1u << 14,       ///< an atomic load that returns the newest value, like an update
  access_store_only = 1u << 15,   ///< an atomic store: loads nothing
  access_block_scope = 1u << 16,  ///< atomic only for threads of the same block
  access_compares = 1u << 17,     ///< an update if the expected value is found, else a load
  access_bulk = 1u << 18,         ///< part of a bulk copy, which is counted as one access
  access_exchange = 1u << 19      ///< an update that stores what does not depend on the old value
};

enum class WarpOperation : unsigned {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  any,
  all,
  match_any,
  match_all,   ///< the mask if all values are equal, else 0
  reduce_add,  ///< these six: of the lower 32 bits of all values
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor,
  multiply_matrices,  ///< mma.sync: the value is the address of the lane's MatrixProduct (matrix_operands.cuh)
  load_matrices,      ///< ldmatrix: the value is the address of the lane's MatrixRows
  store_matrices,     ///< stmatrix: the same
  move_matrix,        ///< load_matrix_sync or store_matrix_sync: the address of the lane's MatrixMove
  start_product,      ///< wgmma.mma_async: the address of the lane's WarpgroupProduct
  fence_products,     ///< wgmma.fence
  commit_products,    ///< wgmma.commit_group
  wait_for_products,  ///< wgmma.wait_group: `lane` is the number of groups that may be under way
  give_registers,     ///< setmaxnreg.dec: `lane` is the number of registers
  take_registers      ///< setmaxnreg.inc
};

/// Bytes of the addresses that a block has for its shared memory.
inline constexpr unsigned long long shared_window_bytes = 1ull << 20;

/// The address space of an address.
enum class Space : unsigned { nowhere, global, shared, local, constant };

/// Small enough to be passed in registers.
struct WarpCall {
  WarpOperation operation;
  unsigned mask;
  int lane, width;  ///< of shuffles: lane, delta or lane mask; and the width of the segments
};

/// A call of a barrier of the block by number.
struct NamedBarrierCall {
  unsigned barrier, threads;  ///< 0 threads: all of the block
  bool waits;
  bool is_aligned;  ///< all lanes of a warp execute it together
};

enum class BarrierReduction : unsigned { none, count, all, any };

enum class Scope : unsigned { block, device };

/// How device code refers to a __shared__ variable: the pair of numbers that the ABI of thread-local variables keeps
/// for each of them. While a launch uses the variable, `place` is negative: the distance in bytes from the end of the
/// block's window of shared memory.
struct SharedVariable {
  long long place;            ///< otherwise the number that the loader gave the module
  unsigned long long offset;  ///< identifies the variable in the module
};

/// A box of the tensor that a tensor map describes: its first column, row, and so on.
struct BoxAt {
  const void* map;
  const int* first;
  unsigned dimensions;
};

/// How a bulk reduction combines an element of its target with one of its source.
struct ElementReduction {
  void (*combine)(void* to, const void* from);
  unsigned bytes;  ///< of an element; 0: no reduction
};

/// An array of known size with an index outside of it: its type, such as 'float [4][8]', and where the index is.
struct IndexedArray {
  const char* type;
  unsigned line, column;  ///< 0 if unknown
};

/// The simulator's functions for device code. `site` is the return address of the call in device code. None of them
/// returns to a thread that made an error.
struct Runtime {
  void (*access)(const void* address, unsigned code, const void* site);
  /// An update if the memory holds the expected bits, otherwise a load.
  void (*compare_and_swap)(const void* address, unsigned code, unsigned long long expected, const void* site);
  void (*access_range)(const void* address, unsigned long long bytes, unsigned code, const void* site);
  void (*fill)(void* to, int byte, unsigned long long bytes, const void* site);
  void (*copy)(void* to, const void* from, unsigned long long bytes, const void* site);
  const BuiltIns* (*built_ins)();
  void* (*shared_variable)(SharedVariable* variable);
  void (*bad_index)(const IndexedArray& array, long long index, const void* site);
  void (*outside_variable)(const void* address, const void* site);
  /// `operation` is one of "+-*".
  void (*overflow)(char operation, long long left, long long right, unsigned bits, const void* site);
  void (*wide_shift)(long long by, unsigned bits, const void* site);
  /// `frame` is that of the function which device code called. It leads to the frames of all callers.
  int (*sync_threads)(BarrierReduction reduction, int predicate, const void* site, const void* frame);
  void (*named_barrier)(NamedBarrierCall call, const void* site, const void* frame);
  /// The place in the block of that rank in the cluster of a place in shared memory of the caller's block.
  void* (*map_shared)(const void* pointer, unsigned rank, const void* site);
  /// The rank in the cluster of the block whose shared memory has that place.
  unsigned (*rank_of_shared)(const void* pointer, const void* site);
  void (*cluster_arrive)(bool releases, const void* site);
  void (*cluster_wait)(const void* site);
  /// Waits for all threads of a cooperative launch.
  void (*sync_grid)(const void* site, const void* frame);
  unsigned long long (*warp)(WarpCall call, unsigned long long value, const void* site);
  unsigned (*active_mask)();
  /// Only a sequentially consistent one has a place in the order of all fences; others acquire and release.
  void (*fence)(Scope scope, bool is_sequential, const void* site);
  Space (*space_of)(const void* address);
  void (*async_copy)(void* to, const void* from, unsigned bytes, const void* site);
  void (*async_commit)();
  void (*async_wait)(unsigned pending, const void* site);
  /// A copy to shared memory. `blocks`: a bit for each block of the cluster that gets it, at the places of the target
  /// and the barrier in its own shared memory; 0: only there.
  void (*bulk_copy)(void* to, const void* from, unsigned bytes, void* barrier, unsigned blocks, const void* site);
  void (*bulk_copy_box)(void* to, const BoxAt& box, void* barrier, unsigned blocks, const void* site);
  /// Stores a value to shared memory of the cluster; the barrier is in the same block (st.async).
  void (*store_async)(void* to, const void* value, unsigned bytes, void* barrier, const void* site);
  /// From shared to global memory, in the thread's group of such stores.
  void (*bulk_store)(void* to, const void* from, unsigned bytes, const void* site);
  void (*bulk_reduce)(void* to, const void* from, unsigned bytes, ElementReduction elements, const void* site);
  void (*bulk_store_box)(const BoxAt& box, const void* from, const void* site);
  void (*bulk_commit)();
  /// Until all but that many groups have read their sources, or are complete.
  void (*bulk_wait)(unsigned pending, bool is_all, const void* site);
  /// Like async_copy, and the running phase of the barrier also waits for it.
  void (*barrier_copy)(void* to, const void* from, unsigned bytes, void* barrier, const void* site);
  /// Of barriers only, or of all memory.
  void (*fence_async)(bool of_barriers);
  void (*phase_init)(void* barrier, unsigned arrivals, const void* site);
  /// Arrives so many times (or not at all), and announces bytes. Returns the parity of the phase in which it counts.
  unsigned (*phase_arrive)(void* barrier, unsigned arrivals, unsigned expected_bytes, const void* site);
  void (*phase_arrive_copied)(void* barrier, const void* site);
  int (*phase_done)(void* barrier, unsigned parity, const void* site);
  void (*wait_for_previous_launch)();
  void (*pause)(const void* site);
  void (*trap)(const void* site);
  void (*assertion_failed)(const char* condition, const void* site);
  long long (*clock)(const void* site);
  void (*print)(const char* text, unsigned long long bytes);
  void (*require_cooperative_launch)(const void* site);
  void (*classify)(const void* comparison);
  void (*branches_full)();
  /// A basic block begins after so many. `frame` leads to the stack of its function, `registers` to the five that a
  /// call leaves as they are.
  void (*block)(const void* site, const void* frame, const void* registers);
  void (*no_model)(const char* what, const void* site);
  /// Two values of so many bytes are compared; 0 bytes: they are no integers.
  void (*compared)(unsigned long long left, unsigned long long right, unsigned bytes, const void* site);
};

/// What a comparison in a module belongs to.
enum ComparisonKind : unsigned char { comparison_unknown, comparison_of_device, comparison_of_host };

/// A comparison after which the thread entered another basic block: its place, and the offset of that block.
struct Branch {
  unsigned long long place, outcome;
};

/// The place of a comparison. Places are ordered as a warp runs them: deeper calls have a smaller `frame`, which is the
/// distance from the end of the stack. `site` is an offset in the module.
__attribute__((always_inline, WARPWRIGHT_UNTRACED)) constexpr unsigned long long branch_place(unsigned frame,
                                                                                              unsigned site) {
  return static_cast<unsigned long long>(frame) << 32 | site;
}

/// Counters that a module checks itself, so that it need not call the simulator at every basic block.
struct Watch {
  long long blocks_left = 1ll << 62;  ///< basic blocks that may still begin; below 0, the next one calls the simulator
  char* window_end = nullptr;         ///< the end of the shared memory of the running thread's block
  bool notes_comparisons = false;     ///< for one of the next two
  bool proves = false;                ///< comparisons call the simulator
  // For the running thread, while branches are traced.
  const ComparisonKind* kinds = nullptr;  ///< of comparisons, by the offset of their site; null: no tracing
  const char* base = nullptr;             ///< the module's base address
  const char* stack_bottom = nullptr;
  unsigned long long compared = 0;  ///< the place of a comparison, if the next basic block is its outcome
  Branch* next = nullptr;           ///< where it is recorded
  const Branch* end = nullptr;      ///< the end of that array

  void set_kinds(const ComparisonKind* of_comparisons) {
    kinds = of_comparisons;
    notes_comparisons = proves || kinds != nullptr;
  }
  void set_proves(bool calls) {
    proves = calls;
    notes_comparisons = proves || kinds != nullptr;
  }
  /// Sets whether the next basic block calls the simulator although the budget is not used up, by a temporary offset.
  __attribute__((always_inline, WARPWRIGHT_UNTRACED)) inline void await_block(bool awaited) {
    constexpr long long all = 1ll << 62;
    if ((blocks_left < 0) != awaited) blocks_left += awaited ? -all : all;
  }
};

/// A kernel instance in a module: `invoke` calls `kernel` with the arguments that `arguments` points to.
struct ModuleEntry {
  const char* name;
  void (*kernel)();
  void (*invoke)(void (*kernel)(), void** arguments);
  unsigned argument_count;
  const unsigned* argument_sizes;  ///< bytes
};

/// A __constant__ variable in a module.
struct ModuleConstant {
  const char* name;
  void* address;
  unsigned long long bytes;
};

/// The table that a module exports under the name warpwright_module.
struct ModuleTable {
  unsigned version;
  unsigned entry_count, constant_count;
  const ModuleEntry* entries;
  const ModuleConstant* constants;
  const Runtime** runtime;  ///< set by the loader of the module
  Watch* watch;
  /// Pairs of distances in bytes, each from where it is stored: the first leads to 16 bytes in which bits of results
  /// are set that contraction changed; the others to an instruction, and to the code that replaces it for contraction.
  /// Null if there are none.
  const int *contractions, *contractions_end;
};

/// The simulator that runs this module. Null if device code is only read.
inline const Runtime* runtime = nullptr;
inline Watch watch;

}  // namespace warpwright::simulator
