// Parameter space and launch plan of transpose/read_coalesced.
#include "kernels/transpose/naive.hpp"

namespace warpwright::transpose {

Kernel read_coalesced_kernel() {
  return naive_kernel("read_coalesced", 0, 1);
}

}  // namespace warpwright::transpose
