// The rows of products of matrices.
#include <fmt/format.h>

#include "kernels/runtime/built_in_tests/matrix_rows.hpp"

namespace warpwright::built_ins {

std::string MatrixRow::arguments() const {
  return fmt::format("{}, {}, {}, {}, {}, {}", m, n, k, a, b, sum);
}

std::string MatrixRow::instruction() const {
  const std::string types = fmt::format("{}.{}.{}", ptx_sum, ptx_a, ptx_b);
  if (is_of_warpgroup()) return fmt::format("m{}n{}k{}.{}{}", m, n, k, types, saturates ? ".satfinite" : "");
  return fmt::format("m{}n{}k{}.{}{}.{}", m, n, k, saturates ? "satfinite." : "", types, ptx_sum);
}

namespace {

const std::pair<const char*, const char*> byte_types[] = {{"signed char", "s8"}, {"unsigned char", "u8"}};
const std::pair<const char*, const char*> float8_types[] = {{"float8_e4m3", "e4m3"}, {"float8_e5m2", "e5m2"}};

std::string types_of(const MatrixRow& row) {
  return row.saturates ? fmt::format("{}, {}", row.a, row.b) : fmt::format("{}, {}, {}", row.a, row.b, row.sum);
}

}  // namespace

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
    for (const auto& [a, ptx_a] : float8_types)
      for (const auto& [b, ptx_b] : float8_types) {
        all.push_back({16, 8, 16, a, b, "float", ptx_a, ptx_b, "f32", 89, "2, 1, 4"});
        all.push_back({16, 8, 32, a, b, "float", ptx_a, ptx_b, "f32", 89, "4, 2, 4"});
        all.push_back({16, 8, 16, a, b, "float16", ptx_a, ptx_b, "f16", 89, "2, 1, 2"});
        all.push_back({16, 8, 32, a, b, "float16", ptx_a, ptx_b, "f16", 89, "4, 2, 2"});
      }
    for (const bool saturates : {false, true})
      for (const auto& [a, ptx_a] : byte_types)
        for (const auto& [b, ptx_b] : byte_types) {
          all.push_back({8, 8, 16, a, b, "int", ptx_a, ptx_b, "s32", 80, "1, 1, 2", saturates});
          all.push_back({16, 8, 16, a, b, "int", ptx_a, ptx_b, "s32", 80, "2, 1, 4", saturates});
          all.push_back({16, 8, 32, a, b, "int", ptx_a, ptx_b, "s32", 80, "4, 2, 4", saturates});
        }
    return all;
  }();
  return rows;
}

std::vector<MatrixRow> warpgroup_rows(int n) {
  std::vector<MatrixRow> all;
  const auto add = [&](int k, const std::pair<std::string, std::string>& a,
                       const std::pair<std::string, std::string>& b, const std::pair<std::string, std::string>& sum,
                       const std::string& header, bool saturates = false) {
    const int words = sum.first == "float16" ? n / 4 : n / 2;
    all.push_back({64, n, k, a.first, b.first, sum.first, a.second, b.second, sum.second, 90,
                   fmt::format("4, {}", words), saturates, header});
  };
  const std::pair<std::string, std::string> f16{"float16", "f16"}, bf16{"bfloat16", "bf16"}, f32{"float", "f32"},
      tf32{"tfloat32", "tf32"}, s32{"int", "s32"};
  add(16, f16, f16, f32, "warpgroup.cuh");
  add(16, bf16, bf16, f32, "warpgroup.cuh");
  add(16, f16, f16, f16, "warpgroup_half_sums.cuh");
  add(8, tf32, tf32, f32, "warpgroup_tf32.cuh");
  for (const auto& a : float8_types)
    for (const auto& b : float8_types) {
      add(32, a, b, f32, "warpgroup_float8.cuh");
      add(32, a, b, f16, "warpgroup_half_sums.cuh");
    }
  if (n > 32 && n % 16 != 0) return all;
  for (const bool saturates : {false, true})
    for (const auto& a : byte_types)
      for (const auto& b : byte_types) add(32, a, b, s32, "warpgroup_bytes.cuh", saturates);
  return all;
}

std::string matrix_table() {
  std::string table = "| `mma.sync.aligned` | from | registers for A, B, sums | function |\n|---|---|---|---|\n";
  for (const MatrixRow& row : matrix_rows())
    table += fmt::format("| `m{}n{}k{}.row.col.{}{}.{}.{}.{}` | sm_{} | {} | `multiply_add{}<{}, {}, {}, {}>` |\n",
                         row.m, row.n, row.k, row.saturates ? "satfinite." : "", row.ptx_sum, row.ptx_a, row.ptx_b,
                         row.ptx_sum, row.architecture, row.registers, row.saturates ? "_saturated" : "", row.m, row.n,
                         row.k, types_of(row));
  return table;
}

std::string warpgroup_table() {
  std::string table =
      "| `wgmma.mma_async.sync.aligned` | registers for sums | function | header |\n|---|---|---|---|\n";
  for (const MatrixRow& row : warpgroup_rows(256))
    table += fmt::format("| `m64nNk{}.{}.{}.{}{}` | N / {} | `multiply_add{}_async<N, {}>` | `{}` |\n", row.k,
                         row.ptx_sum, row.ptx_a, row.ptx_b, row.saturates ? ".satfinite" : "",
                         row.sum == "float16" ? 4 : 2, row.saturates ? "_saturated" : "", types_of(row), row.header);
  return table;
}

}  // namespace warpwright::built_ins
