// Runs products of matrices of given operands in the simulator, and compares them with plain ones.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/runtime/built_in_tests/matrix_rows.hpp"

namespace warpwright::built_ins {

/// The device headers, "product.cuh" and "group_product.cuh", whose kernels compute D = A B + C by a warp and by a
/// warpgroup.
SourceTree product_sources();
std::string product_entry(const MatrixRow& row);
/// Those of products by a warp that an architecture has.
std::vector<std::string> product_entries(int architecture);
/// Rows of products by a warpgroup that tests run: all types with some numbers of columns, and all numbers of columns
/// with some types; A in shared memory or in registers.
const std::vector<MatrixRow>& tried_warpgroup_rows();
std::vector<std::string> group_product_entries();

std::size_t bytes_of_type(const std::string& type);
/// Stores the element nearest to a number.
void put(std::vector<std::byte>& to, std::size_t at, const std::string& type, double value);
double get(const std::vector<std::byte>& from, std::size_t at, const std::string& type);

/// Matrices A, B and C of some products, all row by row.
struct Operands {
  const MatrixRow& row;
  int count;
  std::vector<std::byte> a, b, c;

  Operands(const MatrixRow& of, int products);
  std::size_t elements(int of_one) const { return static_cast<std::size_t>(of_one) * static_cast<std::size_t>(count); }
  static std::size_t number(int product, int line, int column, int lines, int columns) {
    return static_cast<std::size_t>((product * lines + line) * columns + column);
  }
  double at_a(int product, int line, int k) const { return get(a, number(product, line, k, row.m, row.k), row.a); }
  double at_b(int product, int k, int column) const { return get(b, number(product, k, column, row.k, row.n), row.b); }
  double at_c(int product, int line, int column) const { return at_d(c, product, line, column); }
  double at_d(const std::vector<std::byte>& d, int product, int line, int column) const {
    return get(d, number(product, line, column, row.m, row.n), row.sum);
  }
};

/// Numbers from -limit to limit, or from 0 for unsigned ones.
Operands whole_numbers(const MatrixRow& row, int limit);
/// Numbers with all their bits, of sizes from 2^-range to 1.
Operands random_numbers(const MatrixRow& row, int count, int range);

/// One warp or warpgroup for each product, over buffers a, b, c and d.
Plan product_plan(const Operands& of);
/// D in the simulator, with the adder of that number.
std::vector<std::byte> simulated(const Operands& of, unsigned adder);

/// Empty, or the first element that differs from the plain product of whole numbers.
std::string wrong(const Operands& of, const std::vector<std::byte>& d);
/// Empty, or the first element whose error is above the bound for any order and truncation that was seen: the sum and
/// each group of 4 products or more lose less than 2 u of their size each. For 8-bit floats u is 2^-14, otherwise that
/// of floats; a sum of halves is also rounded after each group.
std::string beyond_the_bound(const Operands& of, const std::vector<std::byte>& d);

}  // namespace warpwright::built_ins
