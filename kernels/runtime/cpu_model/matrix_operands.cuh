// What a lane gives to an operation of matrix units: plain structs that device code and the simulator share.
#pragma once

namespace warpwright::simulator {

enum class MatrixElement : unsigned { f16, bf16, tf32, f32, f64, s8, u8, s32, e4m3, e5m2 };

constexpr unsigned bits_of_element(MatrixElement type) {
  switch (type) {
    case MatrixElement::f16:
    case MatrixElement::bf16:
      return 16;
    case MatrixElement::s8:
    case MatrixElement::u8:
    case MatrixElement::e4m3:
    case MatrixElement::e5m2:
      return 8;
    case MatrixElement::f64:
      return 64;
    default:
      return 32;
  }
}

/// How the elements of a matrix are spread over lanes.
enum class Spread : unsigned {
  mma,    ///< as the PTX ISA defines it for mma.sync
  evenly  ///< element e of lane l is number 32 e + l of the matrix, row by row; the fragments of wmma, whose layout no
          ///< program knows
};

/// Of a product: sums (m x n) += A (m x k) B (k x n).
struct MatrixShape {
  unsigned m, n, k;
  MatrixElement a, b, sum;
  Spread spread;
  bool saturates = false;  ///< integer sums that do not fit become the largest or smallest one

  friend constexpr bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

/// A lane's part of a product: pointers to its elements, which no other thread uses.
struct MatrixProduct {
  MatrixShape shape;
  const void *a, *b;
  void* sums;
};

/// A lane's part of a product by a warpgroup, of which m is 64: sums += A B, or sums = A B.
struct WarpgroupProduct {
  MatrixShape shape;
  unsigned long long a, b;       ///< descriptors of operands in shared memory
  const void* of_a;              ///< the lane's four registers of A; null if `a` describes it
  void* sums;                    ///< the lane's n / 2 sums
  bool adds;                     ///< otherwise the sums are overwritten
  bool b_is_transposed;          ///< columns of B of one term are neighbours in shared memory
  bool a_is_transposed = false;  ///< so are rows of A
  bool a_is_negated = false, b_is_negated = false;
  /// The addresses of the registers of sums and of A in device code, where they do not follow each other at `sums` and
  /// `of_a`; null otherwise. A register of A without an address is a value of its own.
  void* const* places_of_sums = nullptr;
  const void* const* places_of_a = nullptr;
};

/// A lane's part of loading or storing up to four 8 x 8 matrices of 2-byte elements.
struct MatrixRows {
  void* place;         ///< of a row of 16 bytes in shared memory; used of the lanes below 8 * count
  unsigned count;      ///< of matrices: 1, 2 or 4
  bool is_transposed;  ///< lanes have columns
  unsigned row[4];     ///< that row
  unsigned held[4];    ///< for each matrix the lane's two elements
};

/// A load or store of a matrix by a warp, each lane of which accesses its own elements afterwards.
struct MatrixMove {
  const void* pointer;
  unsigned long long pitch;
  bool by_rows, stores;

  friend constexpr bool operator==(const MatrixMove&, const MatrixMove&) = default;
};

}  // namespace warpwright::simulator
