// Replaces CUB's device headers in the simulator: kernels with CUB compile, but it is not modelled.
// Replaces: cub/cub.cuh cub/block/block_reduce.cuh cub/block/block_scan.cuh cub/block/block_load.cuh
// Replaces: cub/block/block_store.cuh cub/block/block_radix_sort.cuh cub/warp/warp_reduce.cuh cub/warp/warp_scan.cuh
// Replaces: cub/block/block_exchange.cuh cub/block/block_histogram.cuh
#pragma once

#include "kernels/runtime/cpu_model/unmodelled.cuh"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE
};

struct Sum {};
struct Min {};
struct Max {};

#define WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, name)                                           \
  template <class... Arguments>                                                              \
  WARPWRIGHT_UNSEEN ::warpwright::simulator::Anything name(Arguments&&...) {                 \
    ::warpwright::simulator::runtime->no_model("cub::" #owner, __builtin_return_address(0)); \
    __builtin_unreachable();                                                                 \
  }
/// A collective of that name, with any arguments.
#define WARPWRIGHT_NO_MODEL_OF(owner, ...)                               \
  template <class T, __VA_ARGS__>                                        \
  class owner {                                                          \
   public:                                                               \
    struct TempStorage {                                                 \
      unsigned word;                                                     \
    };                                                                   \
    owner() = default;                                                   \
    template <class... Arguments>                                        \
    explicit owner(Arguments&&...) {}                                    \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Reduce)                         \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Sum)                            \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, InclusiveSum)                   \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, ExclusiveSum)                   \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, InclusiveScan)                  \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, ExclusiveScan)                  \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Load)                           \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Store)                          \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Sort)                           \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Histogram)                      \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Composite)                      \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, SortDescending)                 \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, SortBlockedToStriped)           \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, SortDescendingBlockedToStriped) \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, StripedToBlocked)               \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, BlockedToStriped)               \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, WarpStripedToBlocked)           \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, BlockedToWarpStriped)           \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, ScatterToBlocked)               \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, ScatterToStriped)               \
  };
WARPWRIGHT_NO_MODEL_OF(BlockReduce, auto... Numbers)
WARPWRIGHT_NO_MODEL_OF(BlockScan, auto... Numbers)
WARPWRIGHT_NO_MODEL_OF(BlockLoad, auto... Numbers)
WARPWRIGHT_NO_MODEL_OF(BlockStore, auto... Numbers)
WARPWRIGHT_NO_MODEL_OF(BlockHistogram, auto... Numbers)
WARPWRIGHT_NO_MODEL_OF(BlockExchange, auto... Numbers)
// The type of the values is between the numbers.
WARPWRIGHT_NO_MODEL_OF(BlockRadixSort, int Threads, int Items, class Value = void, auto... Numbers)
WARPWRIGHT_NO_MODEL_OF(WarpReduce, auto... Numbers)
WARPWRIGHT_NO_MODEL_OF(WarpScan, auto... Numbers)
#undef WARPWRIGHT_NO_MODEL_OF
#undef WARPWRIGHT_NO_MODEL_OF_MEMBER

}  // namespace cub
