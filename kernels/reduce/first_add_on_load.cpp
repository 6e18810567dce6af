// The space and plan of reduce/first_add_on_load.
#include "kernels/reduce/first_add_on_load.cuh"

#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel first_add_on_load_kernel() {
  return tree_kernel<first_add_on_load_params>("first_add_on_load", 2);
}

}  // namespace warpwright::reduce
