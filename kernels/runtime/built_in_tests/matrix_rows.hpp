// The products of matrices that the simulator models (mma.sync and wgmma), with a row for each. Tests and the tables in
// docs/matrix_units.md are made from it.
#pragma once

#include <string>
#include <vector>

namespace warpwright::built_ins {

/// A product of that shape, and its types in C++ and in PTX.
struct MatrixRow {
  int m, n, k;
  std::string a, b, sum;  ///< of multiply_add: "bfloat16"
  std::string ptx_a, ptx_b, ptx_sum;
  int architecture;       ///< from sm_80 or sm_90
  std::string registers;  ///< of a lane, for A, B and sums: "4, 2, 4"
  bool saturates = false;
  std::string header = "matrix.cuh";  ///< of kernels/runtime/
  bool a_in_registers = false;        ///< of a product by a warpgroup

  bool is_of_warpgroup() const { return m == 64; }
  /// "16, 8, 16, bfloat16, bfloat16, float"
  std::string arguments() const;
  /// "m16n8k16.f32.bf16.bf16.f32"
  std::string instruction() const;
};

const std::vector<MatrixRow>& matrix_rows();
/// Of products by a warpgroup, with n columns. There may be none of some types.
std::vector<MatrixRow> warpgroup_rows(int n);

/// The lines of the tables in docs/matrix_units.md.
std::string matrix_table();
std::string warpgroup_table();

}  // namespace warpwright::built_ins
