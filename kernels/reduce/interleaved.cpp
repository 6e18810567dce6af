// Parameter space and launch plan of reduce/interleaved.
#include "kernels/reduce/interleaved.cuh"

#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel interleaved_kernel() {
  return tree_kernel_without_conflicts<interleaved_params>("interleaved");
}

}  // namespace warpwright::reduce
