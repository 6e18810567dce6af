// The first and the second pass over a row, for several threads: how their parts are combined.
#pragma once

#include "kernels/rows/across_row.cuh"
#include "kernels/rows/operation.cuh"

namespace warpwright::rows {

/// Joins the results of first passes.
template <operation Op>
struct first_pass {
  __device__ static float both(float a, float b) { return joined<Op>(a, b); }
};

/// Adds the sums of second passes.
struct second_pass {
  __device__ static float both(float a, float b) { return a + b; }
};

}  // namespace warpwright::rows
