// Parameter space and launch plan of reduce/unrolled_warp.
#include "kernels/reduce/unrolled_warp.cuh"

#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel unrolled_warp_kernel() {
  return tree_kernel_without_conflicts<unrolled_warp_params>("unrolled_warp", 64);
}

}  // namespace warpwright::reduce
