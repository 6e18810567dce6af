// Parameter space and launch plan of reduce/strided_index.
#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel strided_index_kernel() {
  return tree_kernel("strided_index");
}

}  // namespace warpwright::reduce
