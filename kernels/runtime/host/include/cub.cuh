// What CUB's device headers are on the SIMT executor: read, so that a kernel that uses them compiles, and not judged.
// Stands for: cub/cub.cuh cub/block/block_reduce.cuh cub/block/block_scan.cuh cub/block/block_load.cuh
// Stands for: cub/block/block_store.cuh cub/block/block_radix_sort.cuh cub/warp/warp_reduce.cuh cub/warp/warp_scan.cuh
// Stands for: cub/block/block_exchange.cuh cub/block/block_histogram.cuh
#pragma once

#include "kernels/runtime/host/unmodelled.cuh"

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

#define WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, name)                                      \
  template <class... Arguments>                                                         \
  WARPWRIGHT_UNSEEN ::warpwright::host::Anything name(Arguments&&...) {                 \
    ::warpwright::host::runtime->no_model("cub::" #owner, __builtin_return_address(0)); \
    __builtin_unreachable();                                                            \
  }
/// A collective of that name, whatever its arguments mean.
#define WARPWRIGHT_NO_MODEL_OF(owner)                   \
  template <class T, auto... Numbers>                   \
  class owner {                                         \
   public:                                              \
    struct TempStorage {                                \
      unsigned word;                                    \
    };                                                  \
    owner() = default;                                  \
    template <class... Arguments>                       \
    explicit owner(Arguments&&...) {}                   \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Reduce)        \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Sum)           \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, InclusiveSum)  \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, ExclusiveSum)  \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, InclusiveScan) \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, ExclusiveScan) \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Load)          \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Store)         \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Sort)          \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Histogram)     \
    WARPWRIGHT_NO_MODEL_OF_MEMBER(owner, Composite)     \
  };
WARPWRIGHT_NO_MODEL_OF(BlockReduce)
WARPWRIGHT_NO_MODEL_OF(BlockScan)
WARPWRIGHT_NO_MODEL_OF(BlockLoad)
WARPWRIGHT_NO_MODEL_OF(BlockStore)
WARPWRIGHT_NO_MODEL_OF(BlockHistogram)
WARPWRIGHT_NO_MODEL_OF(BlockRadixSort)
WARPWRIGHT_NO_MODEL_OF(WarpReduce)
WARPWRIGHT_NO_MODEL_OF(WarpScan)
#undef WARPWRIGHT_NO_MODEL_OF
#undef WARPWRIGHT_NO_MODEL_OF_MEMBER

}  // namespace cub
