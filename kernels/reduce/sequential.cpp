// Parameter space and launch plan of reduce/sequential.
#include "kernels/reduce/sequential.cuh"

#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel sequential_kernel() {
  return tree_kernel_without_conflicts<sequential_params>("sequential");
}

}  // namespace warpwright::reduce
