// Parameter space and launch plan of transpose/write_coalesced.
#include "kernels/transpose/naive.hpp"

namespace warpwright::transpose {

Kernel write_coalesced_kernel() {
  return naive_kernel("write_coalesced", 1, 0);
}

}  // namespace warpwright::transpose
