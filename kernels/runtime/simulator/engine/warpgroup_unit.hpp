// Products by warpgroups (wgmma): what they read, which of them are under way, and their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/runtime/simulator/engine/matrix_unit.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

inline bool is_of_warpgroup(WarpOperation operation) {
  return operation >= WarpOperation::start_product;
}

/// "wgmma m64n128k16 f32.bf16.bf16"
std::string name_of(const WarpgroupProduct& product);

/// Whether both are the same instruction with the same operands.
bool are_same(const WarpgroupProduct& a, const WarpgroupProduct& b);

/// Where a row of A, from byte `at` (below 32) on, lies in the block's window of shared memory.
std::size_t place_of_a(const WarpgroupProduct& product, unsigned row, unsigned at);
/// The number of 16-byte pieces of B, and where one of them lies.
unsigned pieces_of_b(const WarpgroupProduct& product);
std::size_t place_of_b(const WarpgroupProduct& product, unsigned piece);

/// A product reads its operands at some moment between its start and the end of the first wait for it, and a lane has
/// its sums after its own wait. The caller has checked what may be read.
class WarpgroupUnit {
 public:
  void begin_launch() {
    under_way_ = 0;
    is_used_ = false;
  }
  /// A warpgroup of this launch executes an operation of products.
  void use() { is_used_ = true; }
  bool is_used() const { return is_used_; }
  /// Whether all products of this launch are waited for by all their lanes.
  bool is_idle() const { return under_way_ == 0; }

  static unsigned warp_of(const Thread& thread) { return thread.number / 32 % warps_of_group; }
  static unsigned lane_of(const Thread& thread) { return thread.number % lanes_of_group; }
  static Warpgroup& group_of(const Thread& thread);
  /// The product that the thread's warp starts next; made by the first lane that comes to it.
  AsyncProduct& next_product(const Thread& thread, const WarpgroupProduct& what, const void* site);
  /// Takes the lane's registers over.
  static void take_registers(Thread& thread, AsyncProduct& product, const WarpgroupProduct& what);
  /// All products up to that number are done, reading shared memory now. `window` is the block's.
  void compute(Warpgroup& group, std::uint64_t number, const std::byte* window, const MatrixAdder& adder);
  /// The thread has waited for the products up to that number: gives it their sums.
  void deliver(Thread& thread, std::uint64_t number);

  /// The product that reads some of these bytes of shared memory, and that the thread must not disturb: no wait has
  /// covered it, or the thread's own has not. Null if there is none.
  static const AsyncProduct* reader_of(const Thread& thread, std::uintptr_t address, std::size_t bytes);
  /// The thread's registers for products that contain some of these bytes; null if there are none.
  static HeldRegisters* registers_at(const Thread& thread, std::uintptr_t address, std::size_t bytes);
  /// The product under way that uses these registers; null if there is none.
  static const AsyncProduct* user_of(const Thread& thread, const HeldRegisters& registers);

 private:
  void multiply(AsyncProduct& product, const std::byte* window, const MatrixAdder& adder);

  std::size_t under_way_ = 0;
  bool is_used_ = false;
  std::vector<double> a_, b_;  ///< elements of the operands: row by row, and column by column
};

}  // namespace warpwright::simulator
