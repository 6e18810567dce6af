// Operations of matrix units: products of small matrices, and loads of their rows, by a whole warp.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/runtime/cpu_model/matrix_operands.cuh"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

inline bool is_of_matrix_unit(WarpOperation operation) {
  return operation >= WarpOperation::multiply_matrices;
}

/// How a matrix unit adds the products of short elements to a sum of floats: `width` products and the sum together,
/// without rounding in between. Each of them is cut off below the last bit of the largest one's float and `extra_bits`
/// more; the result is cut off to a float. Doubles are added one product after another, each with one rounding.
struct MatrixAdder {
  unsigned width_of_halves, width_of_tfloats;
  int extra_bits;
};

/// The adders that were seen, and of which an execution draws one, since the PTX ISA promises none. Source: F. Khattak,
/// M. Mikaitis, Accurate models of NVIDIA tensor cores, arXiv:2512.07004, 2025, and M. Fasi, N. Higham, M. Mikaitis, S.
/// Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ Computer Science 7, 2021.
inline constexpr MatrixAdder matrix_adders[] = {
    {.width_of_halves = 4, .width_of_tfloats = 4, .extra_bits = 0},   // sm_70, sm_75
    {.width_of_halves = 8, .width_of_tfloats = 4, .extra_bits = 1},   // sm_80 to sm_89
    {.width_of_halves = 16, .width_of_tfloats = 8, .extra_bits = 2},  // sm_90
};

class MatrixUnit {
 public:
  /// Draws the adder of an execution.
  void begin(const SimulationOptions& options);

  /// "mma.sync m16n8k16 f32.f16.f16.f32" or "ldmatrix.x4.trans".
  static std::string name_of(WarpOperation operation, const Thread& lane);
  /// Whether both execute the same operation.
  static bool same(WarpOperation operation, const Thread& a, std::uint64_t value_of_b);
  /// Gives each lane its results. All 32 lanes have arrived.
  void complete(const Warp& warp, WarpOperation operation) const;
  const MatrixAdder& adder() const { return adder_; }

 private:
  void multiply(const Warp& warp, const MatrixShape& shape) const;

  MatrixAdder adder_ = matrix_adders[0];
};

/// The exact value of element `number` of an array of elements of that type.
double value_of(const void* from, unsigned number, MatrixElement type);

/// sum + a[0] b[0] + a[1] b[1] + ..., as that adder computes it for elements of that type. Elements of b are `step`
/// apart.
float add_products(const MatrixAdder& adder, MatrixElement type, float sum, const double* a, const double* b,
                   unsigned step, unsigned count);

}  // namespace warpwright::simulator
