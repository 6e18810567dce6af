// Sizes of a matrix product, as plans and device code know them.
#pragma once

namespace warpwright::matmul {

/// C (M x N) from A (M x K) and B; lda, ldb and ldc are the distances between rows in memory, in elements.
struct extents {
  long long m, n, k;
  long long lda, ldb, ldc;
};

}  // namespace warpwright::matmul
