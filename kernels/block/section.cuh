// Scans of a section that lies in shared memory, by all threads of a block: the classic algorithms. The operator is
// associative and need not commute.
//
// Each is a struct of static members: `slot(i)` is where element i lies, `elements` how long the array is with all that
// the algorithm needs, and `scan<Op>(held)` does it. Before, element i is in held[slot(i)], stored by whatever thread;
// afterwards results[slot(i)] is the scan, inclusive or exclusive as `is_exclusive` says, for all threads to read. scan
// gives `results`, and total(results) is the combination of all. Size and Threads are powers of two, Size is a multiple
// of Threads; blocks have one dimension. The functions named ..._cost say on the host too what each of them takes.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// What a section takes.
struct section_cost {
  int elements;  ///< of shared memory
  int depth;     ///< combinations between an element and a result, at most
};

namespace detail {

/// How many levels a tree over so many elements has.
__host__ __device__ constexpr int levels_over(int size) {
  int levels = 0;
  while (1 << levels < size) ++levels;
  return levels;
}

}  // namespace detail

}  // namespace warpwright::block
