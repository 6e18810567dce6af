// Parameter space and launch plan of reduce/sequential.
#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel sequential_kernel() {
  return tree_kernel("sequential");
}

}  // namespace warpwright::reduce
