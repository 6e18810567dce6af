// Products by warpgroups (wgmma): what they read, which of them are under way, and their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/runtime/simulator/engine/matrix_unit.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

inline constexpr std::size_t bytes_of_register = 4;
inline constexpr unsigned registers_of_a = 4;

inline std::size_t registers_of_sums(const WarpgroupProduct& product) {
  return product.shape.n * bits_of_element(product.shape.sum) / 64;
}

inline bool is_of_warpgroup(WarpOperation operation) {
  return operation >= WarpOperation::start_product;
}

/// "wgmma m64n128k16 f32.bf16.bf16"
std::string name_of(const WarpgroupProduct& product);

/// Whether both are the same instruction with the same operands.
bool are_same(const WarpgroupProduct& a, const WarpgroupProduct& b);

/// Where a 16-byte piece of A lies in the block's window of shared memory; each warp has 32 of them.
std::size_t place_of_a(const WarpgroupProduct& product, unsigned piece);
/// The number of 16-byte pieces of B, and where one of them lies.
unsigned pieces_of_b(const WarpgroupProduct& product);
std::size_t place_of_b(const WarpgroupProduct& product, unsigned piece);

/// Calls visit(begin, bytes) for each range of a lane's sums in device code, or of its part of A.
template <class Visit>
void for_each_range_of_sums(const WarpgroupProduct& product, Visit visit);
template <class Visit>
void for_each_range_of_a(const WarpgroupProduct& product, Visit visit);

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

/// The same for registers one by one, of which neighbours in memory are one range. A null pointer is no register.
template <class Visit>
void for_each_range_of(const void* const* places, std::size_t count, Visit visit) {
  for (std::size_t i = 0; i < count;) {
    const auto* const begin = static_cast<const std::byte*>(places[i]);
    std::size_t together = 1;
    while (begin != nullptr && i + together < count && places[i + together] == begin + together * bytes_of_register)
      ++together;
    if (begin != nullptr) visit(begin, together * bytes_of_register);
    i += together;
  }
}

template <class Visit>
void for_each_range_of_sums(const WarpgroupProduct& product, Visit visit) {
  const std::size_t count = registers_of_sums(product);
  if (product.places_of_sums == nullptr)
    visit(product.sums, count * bytes_of_register);
  else
    for_each_range_of(product.places_of_sums, count, visit);
}

template <class Visit>
void for_each_range_of_a(const WarpgroupProduct& product, Visit visit) {
  if (product.places_of_a != nullptr)
    for_each_range_of(product.places_of_a, registers_of_a, visit);
  else if (product.of_a != nullptr)
    visit(product.of_a, registers_of_a * bytes_of_register);
}

}  // namespace warpwright::simulator
