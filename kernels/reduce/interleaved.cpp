// Parameter space and launch plan of reduce/interleaved.
#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel interleaved_kernel() {
  return tree_kernel("interleaved");
}

}  // namespace warpwright::reduce
