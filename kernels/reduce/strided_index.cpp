// Parameter space and launch plan of reduce/strided_index.
#include "kernels/reduce/strided_index.cuh"

#include "kernels/reduce/tree.hpp"

namespace warpwright::reduce {

Kernel strided_index_kernel() {
  using P = strided_index_params;
  return tree_kernel("strided_index", tree_space<P>().axis("bank_pad", &P::bank_pad, {0, 1}));
}

}  // namespace warpwright::reduce
