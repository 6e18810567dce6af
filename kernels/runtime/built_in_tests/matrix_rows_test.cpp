// The rows of products of matrices.
#include <fmt/format.h>

#include "kernels/runtime/built_in_tests/matrix_rows.hpp"

namespace warpwright::built_ins {

std::string MatrixRow::arguments() const {
  return fmt::format("{}, {}, {}, {}, {}, {}", m, n, k, a, b, sum);
}

std::string MatrixRow::instruction() const {
  return fmt::format("m{}n{}k{}.{}.{}.{}.{}", m, n, k, ptx_sum, ptx_a, ptx_b, ptx_sum);
}

const std::vector<MatrixRow>& matrix_rows() {
  static const std::vector<MatrixRow> rows = [] {
    const auto row = [](int m, int k, const std::string& type, const std::string& ptx, const std::string& sum,
                        const std::string& ptx_sum, int architecture, const std::string& registers) {
      return MatrixRow{m, 8, k, type, type, sum, ptx, ptx, ptx_sum, architecture, registers};
    };
    std::vector<MatrixRow> all{
        row(16, 8, "float16", "f16", "float", "f32", 80, "2, 1, 4"),
        row(16, 16, "float16", "f16", "float", "f32", 80, "4, 2, 4"),
        row(16, 8, "float16", "f16", "float16", "f16", 80, "2, 1, 2"),
        row(16, 16, "float16", "f16", "float16", "f16", 80, "4, 2, 2"),
        row(16, 8, "bfloat16", "bf16", "float", "f32", 80, "2, 1, 4"),
        row(16, 16, "bfloat16", "bf16", "float", "f32", 80, "4, 2, 4"),
        row(16, 4, "tfloat32", "tf32", "float", "f32", 80, "2, 1, 4"),
        row(16, 8, "tfloat32", "tf32", "float", "f32", 80, "4, 2, 4"),
        row(8, 4, "double", "f64", "double", "f64", 80, "1, 1, 2"),
        row(16, 4, "double", "f64", "double", "f64", 90, "2, 1, 4"),
        row(16, 8, "double", "f64", "double", "f64", 90, "4, 2, 4"),
        row(16, 16, "double", "f64", "double", "f64", 90, "8, 4, 4"),
    };
    const std::pair<const char*, const char*> bytes[] = {{"signed char", "s8"}, {"unsigned char", "u8"}};
    for (const auto& [a, ptx_a] : bytes)
      for (const auto& [b, ptx_b] : bytes) {
        all.push_back({8, 8, 16, a, b, "int", ptx_a, ptx_b, "s32", 80, "1, 1, 2"});
        all.push_back({16, 8, 16, a, b, "int", ptx_a, ptx_b, "s32", 80, "2, 1, 4"});
        all.push_back({16, 8, 32, a, b, "int", ptx_a, ptx_b, "s32", 80, "4, 2, 4"});
      }
    return all;
  }();
  return rows;
}

std::string matrix_table() {
  std::string table = "| `mma.sync.aligned` | from | registers for A, B, sums | `multiply_add` |\n|---|---|---|---|\n";
  for (const MatrixRow& row : matrix_rows())
    table +=
        fmt::format("| `m{}n{}k{}.row.col.{}.{}.{}.{}` | sm_{} | {} | `<{}>` |\n", row.m, row.n, row.k, row.ptx_sum,
                    row.ptx_a, row.ptx_b, row.ptx_sum, row.architecture, row.registers, row.arguments());
  return table;
}

}  // namespace warpwright::built_ins
