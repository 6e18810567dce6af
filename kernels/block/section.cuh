// Scans of a section in shared memory by all threads of a block: the classic algorithms. The operator is associative
// and need not be commutative.
//
// Each algorithm is a struct of static members. `slot(i)` is the index of element i, `elements` the length of the array
// including extra space, and `scan<Op>(held)` scans it. Before the call, element i is in held[slot(i)], stored by any
// thread. Afterwards results[slot(i)] is the scan (inclusive or exclusive, see `is_exclusive`), readable by all
// threads. scan returns `results`, and total(results) is the combination of all. Size and Threads are powers of two,
// and Size is a multiple of Threads; blocks are one-dimensional. The functions named ..._cost give the cost of each
// algorithm, also on the host.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// The cost of scanning a section.
struct section_cost {
  int elements;  ///< in shared memory
  int depth;     ///< combinations between an element and a result, at most
};

namespace detail {

/// Number of levels of a tree over this many elements.
__host__ __device__ constexpr int levels_over(int size) {
  int levels = 0;
  while (1 << levels < size) ++levels;
  return levels;
}

}  // namespace detail

}  // namespace warpwright::block
