// What a compiled module of device code and the executor know of each other: plain types and one table of functions.
#pragma once

/// A function, or a lambda (where g++ wants the words; clang only reads these headers), whose own loads and stores have
/// no hooks: it tells the executor itself what its caller does.
#ifdef __clang__
#define WARPWRIGHT_UNTRACED no_sanitize("thread"), no_sanitize("coverage")
#define WARPWRIGHT_UNTRACED_LAMBDA
// It has no such functions, and runs none.
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
#define WARPWRIGHT_UNTRACED no_sanitize("thread"), no_sanitize_coverage
#define WARPWRIGHT_UNTRACED_LAMBDA __attribute__((WARPWRIGHT_UNTRACED))
#endif
#define WARPWRIGHT_UNSEEN __attribute__((noinline, WARPWRIGHT_UNTRACED))

namespace warpwright::simulator {

/// Changes whenever a module built against an older version of these headers cannot be run any more.
inline constexpr unsigned interface_version = 10;

template <class T>
struct Same {
  using type = T;
};
/// T where no deduction is wanted.
template <class T>
using same = typename Same<T>::type;

struct Index3 {
  unsigned x, y, z;
};

/// The built-in variables of the thread that runs.
struct BuiltIns {
  Index3 thread_index, block_index, block_extent, grid_extent;
};

/// How memory is touched: the size in bytes in the low bits, and these flags.
enum AccessCode : unsigned {
  access_size = 0xffu,
  access_write = 1u << 8,
  access_volatile = 1u << 9,   ///< relaxed: no race with its like, orders nothing
  access_atomic = 1u << 10,    ///< read-modify-write, or a relaxed load or store
  access_readonly = 1u << 11,  ///< through the read-only cache
  access_acquire = 1u << 12,
  access_release = 1u << 13,
  access_newest = 1u << 14,       ///< an atomic load that sees the newest value, as an update does
  access_store_only = 1u << 15,   ///< an atomic store: nothing is read
  access_block_scope = 1u << 16,  ///< atomic for threads of the block, and for no others
  access_compares = 1u << 17,     ///< an update where the thread's expected value is found, else a load
  access_bulk = 1u << 18          ///< part of a bulk copy, which is counted as a whole
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
  match_all,   ///< the mask where all values are the same, else 0
  reduce_add,  ///< these six: of the lower 32 bits of all values
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor
};

/// Where an address points to.
enum class Space : unsigned { nowhere, global, shared, local, constant };

/// Small enough to be passed in registers.
struct WarpCall {
  WarpOperation operation;
  unsigned mask;
  int lane, width;  ///< of shuffles: lane, delta or lane mask; and the size of the parts of the warp
};

enum class BarrierReduction : unsigned { none, count, all, any };

enum class Scope : unsigned { block, device };

/// How device code refers to a __shared__ variable: the pair of numbers that the ABI of thread-local variables keeps
/// for each of them. While a launch uses it, `place` is negative: bytes from the end of the block's window of shared
/// memory.
struct SharedVariable {
  long long place;            ///< else the number that the loader gave the module
  unsigned long long offset;  ///< says which variable of the module it is
};

/// An array of known size that an index is not within: its type, such as 'float [4][8]', and the place of the brackets.
struct IndexedArray {
  const char* type;
  unsigned line, column;  ///< 0 where they are not known
};

/// The executor as device code sees it. `site` is the return address of the call in device code that asks. No function
/// returns to a thread that did something wrong.
struct Runtime {
  void (*access)(const void* address, unsigned code, const void* site);
  /// An update that takes place if the place holds the expected bits, and a load if not.
  void (*compare_and_swap)(const void* address, unsigned code, unsigned long long expected, const void* site);
  void (*access_range)(const void* address, unsigned long long bytes, unsigned code, const void* site);
  void (*fill)(void* to, int byte, unsigned long long bytes, const void* site);
  void (*copy)(void* to, const void* from, unsigned long long bytes, const void* site);
  const BuiltIns* (*built_ins)();
  void* (*shared_variable)(SharedVariable* variable);  ///< null for what says whether another one is constructed
  void (*bad_index)(const IndexedArray& array, long long index, const void* site);
  void (*outside_variable)(const void* address, const void* site);
  void (*wide_shift)(long long by, unsigned bits, const void* site);
  /// `frame` is that of the function which the device code called: it leads to the frames of its callers.
  int (*sync_threads)(BarrierReduction reduction, int predicate, const void* site, const void* frame);
  /// Waits for all threads of a cooperative launch.
  void (*sync_grid)(const void* site, const void* frame);
  unsigned long long (*warp)(WarpCall call, unsigned long long value, const void* site);
  unsigned (*active_mask)();
  void (*fence)(Scope scope, const void* site);
  Space (*space_of)(const void* address);
  void (*async_copy)(void* to, const void* from, unsigned bytes, const void* site);
  void (*async_commit)();
  void (*async_wait)(unsigned pending, const void* site);
  void (*bulk_copy)(void* to, const void* from, unsigned bytes, void* barrier, const void* site);
  /// Like an async_copy, and the running phase of the barrier waits for it too.
  void (*barrier_copy)(void* to, const void* from, unsigned bytes, void* barrier, const void* site);
  void (*fence_async)();
  void (*phase_init)(void* barrier, unsigned arrivals, const void* site);
  /// The parity of the phase that it counts for.
  unsigned (*phase_arrive)(void* barrier, unsigned expected_bytes, const void* site);
  int (*phase_done)(void* barrier, unsigned parity, const void* site);
  void (*pause)(const void* site);
  void (*trap)(const void* site);
  void (*assertion_failed)(const char* condition, const void* site);
  long long (*clock)(const void* site);
  void (*print)(const char* text, unsigned long long bytes);
  void (*require_cooperative_launch)(const void* site);
  void (*classify)(const void* comparison);
  void (*branches_full)();
  void (*endless)(const void* site);
  void (*no_model)(const char* what, const void* site);
};

/// What a comparison in a module is made for.
enum ComparisonKind : unsigned char { comparison_unknown, comparison_of_device, comparison_of_host };

/// A comparison whose thread entered another basic block next: where it was made, and the offset of that block.
struct Branch {
  unsigned long long place, outcome;
};

/// Where a comparison is made. Ordered as a warp runs them: what is deeper in calls has the lesser `frame`, the
/// distance from the end of the stack; `site` is an offset in the module.
__attribute__((always_inline, WARPWRIGHT_UNTRACED)) constexpr unsigned long long branch_place(unsigned frame,
                                                                                              unsigned site) {
  return static_cast<unsigned long long>(frame) << 32 | site;
}

/// What a module watches itself, so that it need not call the executor at every basic block.
struct Watch {
  long long blocks_left = 1ll << 62;  ///< basic blocks may begin; below 0 the next one is looked at
  char* window_end = nullptr;         ///< of the shared memory of the running thread's block
  // Of the running thread, while branches are traced.
  const ComparisonKind* kinds = nullptr;  ///< of comparisons, by the offset of their site; null: no branch is traced
  const char* base = nullptr;             ///< of the module
  const char* stack_bottom = nullptr;
  unsigned long long compared = 0;  ///< where, if its next basic block is the outcome of a branch
  Branch* next = nullptr;           ///< where that is noted
  const Branch* end = nullptr;      ///< past the last place

  /// Whether the next basic block is looked at, though the budget is not used up. Taken off the budget for that time.
  __attribute__((always_inline, WARPWRIGHT_UNTRACED)) inline void await_block(bool awaited) {
    constexpr long long all = 1ll << 62;
    if ((blocks_left < 0) != awaited) blocks_left += awaited ? -all : all;
  }
};

/// One kernel instance of a module: `invoke` calls `kernel` with the arguments that `arguments` points to.
struct ModuleEntry {
  const char* name;
  void (*kernel)();
  void (*invoke)(void (*kernel)(), void** arguments);
  unsigned argument_count;
  const unsigned* argument_sizes;  ///< bytes
};

/// One __constant__ variable of a module.
struct ModuleConstant {
  const char* name;
  void* address;
  unsigned long long bytes;
};

/// What a module exports under the name warpwright_module.
struct ModuleTable {
  unsigned version;
  unsigned entry_count, constant_count;
  const ModuleEntry* entries;
  const ModuleConstant* constants;
  const Runtime** runtime;  ///< set by who loads the module
  Watch* watch;
};

/// The executor that this module runs under. Where device code is only read, none.
inline const Runtime* runtime = nullptr;
inline Watch watch;

}  // namespace warpwright::simulator
