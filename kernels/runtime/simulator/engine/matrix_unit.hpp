// Operations of matrix units: products of small matrices, loads and stores of their rows, by a whole warp.
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

/// How a matrix unit adds products of 8-bit floats to a sum of floats: `width` products and the sum together, cut off
/// as below, and the result to so many digits.
struct Float8Adder {
  unsigned width;
  int extra_bits, digits;
};

/// How a matrix unit adds the products of short elements to a sum of floats: `width` products and the sum together,
/// without rounding in between. Each of them is cut off below the last bit of the largest one's float and `extra_bits`
/// more; the result is cut off to a float, or rounded to the nearest half. Doubles are added one product after another,
/// each with one rounding.
struct MatrixAdder {
  unsigned width_of_halves, width_of_tfloats;
  int extra_bits;
  Float8Adder of_float8;
  /// mma.sync of 8-bit floats is two products of halves, of the first and of the last two of each four terms, and their
  /// sum is added to the old one with a rounding.
  bool splits_float8;
};

/// The adders that were seen, and of which an execution draws one, since the PTX ISA promises none. Sources: F.
/// Khattak, M. Mikaitis, Accurate models of NVIDIA tensor cores, arXiv:2512.07004, 2025; M. Fasi, N. Higham, M.
/// Mikaitis, S. Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ Computer Science 7, 2021; P. Xie, Y. Wang, F.
/// Yang, M. Yang, MMA-Sim, arXiv:2511.10909, 2025 (8-bit floats and sums of halves); and ptxas 13.0, which makes two
/// products of halves of mma.sync with 8-bit floats on sm_90.
inline constexpr MatrixAdder matrix_adders[] = {
    // sm_70, sm_75; 8-bit floats of sm_89
    {.width_of_halves = 4,
     .width_of_tfloats = 4,
     .extra_bits = 0,
     .of_float8 = {.width = 16, .extra_bits = -10, .digits = 14},
     .splits_float8 = false},
    // sm_80 to sm_89; 8-bit floats of sm_90 by a warpgroup
    {.width_of_halves = 8,
     .width_of_tfloats = 4,
     .extra_bits = 1,
     .of_float8 = {.width = 32, .extra_bits = -10, .digits = 14},
     .splits_float8 = false},
    // sm_90; 8-bit floats of sm_90 by a warp, of sm_100 by a warpgroup
    {.width_of_halves = 16,
     .width_of_tfloats = 8,
     .extra_bits = 2,
     .of_float8 = {.width = 32, .extra_bits = 2, .digits = 24},
     .splits_float8 = true},
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

/// "e4m3"
const char* ptx_name(MatrixElement type);

/// The exact value of element `number` of an array of elements of that type.
double value_of(const void* from, unsigned number, MatrixElement type);
/// Stores a value that is one of that type; of an integer the lower bits.
void put_sum(void* to, unsigned number, MatrixElement type, double value);

/// sum + a[0] b[0] + a[1] b[1] + ... of k terms, as that adder computes a product of that shape. Elements of b are
/// `step` apart.
double add_products(const MatrixAdder& adder, const MatrixShape& shape, double sum, const double* a, const double* b,
                    unsigned step);

}  // namespace warpwright::simulator
