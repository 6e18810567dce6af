// Products by warpgroups (wgmma): what they read, which of them are under way, and their results.
#include "kernels/runtime/simulator/engine/warpgroup_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

#include "kernels/runtime/common/shared_matrices.cuh"

namespace warpwright::simulator {
namespace {

constexpr unsigned row_bytes = 32;
constexpr unsigned piece_bytes = 16;
constexpr unsigned pieces_of_a = 64 * row_bytes / piece_bytes;
/// The number of a sum among those of a warpgroup: those of each lane follow each other.
unsigned number_of_sum(const MatrixShape& shape, unsigned row, unsigned column) {
  const unsigned lane = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
  return lane * (shape.n / 2) + column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
}

std::vector<std::uintptr_t> pieces_of(const WarpgroupProduct& what, std::uintptr_t window) {
  std::vector<std::uintptr_t> pieces;
  if (what.of_a == nullptr)
    for (unsigned piece = 0; piece < pieces_of_a; ++piece) pieces.push_back(window + place_of_a(what, piece));
  for (unsigned piece = 0; piece < pieces_of_b(what); ++piece) pieces.push_back(window + place_of_b(what, piece));
  std::ranges::sort(pieces);
  return pieces;
}

/// The fields of a descriptor.
struct Fields {
  std::size_t begin, leading, stride, row;
  bool swizzles;

  explicit Fields(std::uint64_t descriptor)
      : begin(bytes(descriptor, 0xffff)),
        leading(bytes(descriptor >> 16, 0x3fff)),
        stride(bytes(descriptor >> 32, 0x3fff)),
        row(static_cast<std::size_t>(row_bytes_of(static_cast<swizzle>(descriptor >> 62)))),
        swizzles(static_cast<swizzle>(descriptor >> 62) != swizzle::none) {}
  std::size_t swizzled(std::size_t linear) const {
    return swizzles ? linear ^ ((linear >> 7 << 4) & (row - piece_bytes)) : linear;
  }
  static std::size_t bytes(std::uint64_t bits, std::uint64_t mask) { return std::size_t{bits & mask} << 4; }
};

/// Where byte `at` of a row lies, of an operand whose rows lie along the terms.
std::size_t place_along_terms(std::uint64_t descriptor, unsigned row, unsigned at) {
  const Fields of(descriptor);
  const std::size_t linear = of.begin + row / 8 * of.stride + row % 8 * of.row;
  if (!of.swizzles) return linear + at / piece_bytes * of.leading + at % piece_bytes;
  return of.swizzled(linear + at);
}

/// Where byte `at` of the columns of a term lies, of an operand whose rows lie along the columns.
std::size_t place_along_columns(std::uint64_t descriptor, unsigned term, unsigned at) {
  const Fields of(descriptor);
  const std::size_t next_row = of.swizzles ? of.leading : of.stride, next_terms = of.swizzles ? of.stride : of.leading;
  return of.swizzled(of.begin + at / of.row * next_row + term / 8 * next_terms + term % 8 * of.row + at % of.row);
}

void hold(const Thread& thread, const void* begin, std::size_t bytes, std::uint64_t product) {
  auto& all = thread.extras->products.registers;
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  // Others that overlap are of variables that no longer exist.
  std::erase_if(all, [&](const HeldRegisters& one) {
    const bool is_same = one.begin == address && one.bytes == bytes;
    return !is_same && one.begin < address + bytes && address < one.begin + one.bytes;
  });
  const auto same = std::ranges::find(all, address, &HeldRegisters::begin);
  if (same != all.end())
    same->product = product + 1;
  else
    all.push_back({.begin = address, .bytes = bytes, .product = product + 1});
}

}  // namespace

std::string name_of(const WarpgroupProduct& product) {
  const MatrixShape& s = product.shape;
  return fmt::format("wgmma m{}n{}k{} {}.{}.{}{}", s.m, s.n, s.k, ptx_name(s.sum), ptx_name(s.a), ptx_name(s.b),
                     s.saturates ? ".satfinite" : "");
}

bool are_same(const WarpgroupProduct& a, const WarpgroupProduct& b) {
  return a.shape == b.shape && a.a == b.a && a.b == b.b && (a.of_a == nullptr) == (b.of_a == nullptr) &&
         a.adds == b.adds && a.a_is_transposed == b.a_is_transposed && a.b_is_transposed == b.b_is_transposed &&
         a.a_is_negated == b.a_is_negated && a.b_is_negated == b.b_is_negated;
}

std::size_t place_of_a(const WarpgroupProduct& product, unsigned piece) {
  constexpr unsigned of_warp = pieces_of_a / warps_of_group;
  const unsigned at = piece % 2 * piece_bytes;
  return product.a_is_transposed
             ? place_along_columns(product.a, piece % of_warp / 2, piece / of_warp * 2 * piece_bytes + at)
             : place_along_terms(product.a, piece / 2, at);
}

unsigned pieces_of_b(const WarpgroupProduct& product) {
  return product.shape.n * (row_bytes / piece_bytes);
}

std::size_t place_of_b(const WarpgroupProduct& product, unsigned piece) {
  const unsigned of_term = product.shape.n * row_bytes / product.shape.k / piece_bytes;
  return product.b_is_transposed ? place_along_columns(product.b, piece / of_term, piece % of_term * piece_bytes)
                                 : place_along_terms(product.b, piece / 2, piece % 2 * piece_bytes);
}

Warpgroup& WarpgroupUnit::group_of(const Thread& thread) {
  Block& block = *thread.block;
  if (block.warpgroups.empty()) block.warpgroups.resize((block.warps.size() + warps_of_group - 1) / warps_of_group);
  return block.warpgroups[thread.number / lanes_of_group];
}

AsyncProduct& WarpgroupUnit::next_product(const Thread& thread, const WarpgroupProduct& what, const void* site) {
  Warpgroup& group = group_of(thread);
  const std::uint64_t number = group.started[warp_of(thread)];
  if (number == group.forgotten + group.products.size()) {
    const auto window = reinterpret_cast<std::uintptr_t>(thread.block->window_end) - shared_window_bytes;
    AsyncProduct& made = group.products.emplace_back();
    made.what = what;
    made.first = &thread;
    made.site = site;
    made.pieces = pieces_of(what, window);
    if (what.of_a != nullptr) made.of_a.resize(lanes_of_group * registers_of_a);
    ++under_way_;
  }
  return group.product(number);
}

void WarpgroupUnit::take_registers(Thread& thread, AsyncProduct& product, const WarpgroupProduct& what) {
  Warpgroup& group = group_of(thread);
  thread.block->has_extras = true;
  const unsigned lane = lane_of(thread);
  const std::size_t count = registers_of_sums(what);
  const void* const first = what.places_of_sums != nullptr ? what.places_of_sums[0] : what.sums;
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const HeldRegisters* const held = registers_at(thread, address, bytes_of_register);
  const bool continues = held != nullptr && held->begin == address && user_of(thread, *held) != nullptr;
  if (product.sums == nullptr)
    product.sums = continues ? group.product(held->product - 1).sums
                             : std::make_shared<std::vector<std::uint32_t>>(lanes_of_group * count);
  std::uint32_t* sums = product.sums->data() + lane * count;
  std::vector<RegisterRange>& to = product.to[lane];
  const std::uint64_t number = group.started[warp_of(thread)];
  for_each_range_of_sums(what, [&](const void* begin, std::size_t bytes) {
    if (!continues) std::memcpy(sums, begin, bytes);
    sums += bytes / bytes_of_register;
    to.push_back({.begin = const_cast<void*>(begin), .bytes = bytes});
    hold(thread, begin, bytes, number);
  });
  if (what.of_a == nullptr) return;
  std::memcpy(product.of_a.data() + std::size_t{lane} * registers_of_a, what.of_a, registers_of_a * bytes_of_register);
  for_each_range_of_a(what, [&](const void* begin, std::size_t bytes) { hold(thread, begin, bytes, number); });
}

void WarpgroupUnit::compute(Warpgroup& group, std::uint64_t number, const std::byte* window, const MatrixAdder& adder) {
  for (std::uint64_t at = group.forgotten; at < number; ++at) {
    AsyncProduct& product = group.product(at);
    if (!product.is_done) multiply(product, window, adder);
    product.is_done = true;
  }
}

void WarpgroupUnit::multiply(AsyncProduct& product, const std::byte* window, const MatrixAdder& adder) {
  const MatrixShape& shape = product.what.shape;
  const unsigned bytes = row_bytes / shape.k;
  const auto read = [&](std::vector<double>& to, unsigned rows, MatrixElement type, auto place) {
    to.resize(std::size_t{rows} * shape.k);
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned k = 0; k < shape.k; ++k) to[row * shape.k + k] = value_of(window + place(row, k), 0, type);
  };
  const std::uint64_t of_b = product.what.b;
  read(b_, shape.n, shape.b, [&](unsigned column, unsigned k) {
    return product.what.b_is_transposed ? place_along_columns(of_b, k, column * bytes)
                                        : place_along_terms(of_b, column, k * bytes);
  });
  if (product.what.of_a == nullptr) {
    const std::uint64_t of_a = product.what.a;
    read(a_, shape.m, shape.a, [&](unsigned row, unsigned k) {
      return product.what.a_is_transposed ? place_along_columns(of_a, k, row * bytes)
                                          : place_along_terms(of_a, row, k * bytes);
    });
  } else {
    a_.resize(std::size_t{shape.m} * shape.k);
    const unsigned together = 4 / bytes;
    for (unsigned lane = 0; lane < lanes_of_group; ++lane)
      for (unsigned element = 0; element < registers_of_a * together; ++element) {
        const unsigned at = element / together;
        const unsigned row = lane / 32 * 16 + lane % 32 / 4 + 8 * (at % 2);
        const unsigned k = together * (lane % 4 + 4 * (at / 2)) + element % together;
        a_[row * shape.k + k] = value_of(product.of_a.data() + std::size_t{lane} * registers_of_a, element, shape.a);
      }
  }
  const bool negates = product.what.a_is_negated != product.what.b_is_negated;
  if (negates) std::ranges::transform(a_, a_.begin(), std::negate());
  void* const sums = product.sums->data();
  for (unsigned row = 0; row < shape.m; ++row)
    for (unsigned column = 0; column < shape.n; ++column) {
      const unsigned number = number_of_sum(shape, row, column);
      const double before = product.what.adds ? value_of(sums, number, shape.sum) : 0;
      put_sum(sums, number, shape.sum,
              add_products(adder, shape, before, a_.data() + std::size_t{row} * shape.k,
                           b_.data() + std::size_t{column} * shape.k, 1));
    }
}

void WarpgroupUnit::deliver(Thread& thread, std::uint64_t number) {
  Warpgroup& group = group_of(thread);
  LaneProducts& mine = thread.extras->products;
  const unsigned lane = lane_of(thread);
  // Registers are on the thread's stack, above the functions that it is in.
  const auto* const end_of_dead = static_cast<const std::byte*>(__builtin_frame_address(0));
  for (; mine.awaited < number; ++mine.awaited) {
    AsyncProduct& product = group.product(mine.awaited);
    const std::uint32_t* sums = product.sums->data() + lane * registers_of_sums(product.what);
    for (const RegisterRange& range : product.to[lane]) {
      if (static_cast<const std::byte*>(range.begin) > end_of_dead) std::memcpy(range.begin, sums, range.bytes);
      sums += range.bytes / bytes_of_register;
    }
    ++product.delivered;
    product.is_freed = true;
  }
  while (!group.products.empty() && group.products.front().delivered == lanes_of_group) {
    group.products.pop_front();
    --under_way_;
    ++group.forgotten;
  }
}

const AsyncProduct* WarpgroupUnit::reader_of(const Thread& thread, std::uintptr_t address, std::size_t bytes) {
  const Block& block = *thread.block;
  for (std::size_t number = 0; number < block.warpgroups.size(); ++number) {
    const Warpgroup& group = block.warpgroups[number];
    // Its own products that the thread has not waited for.
    const std::uint64_t own = number == thread.number / lanes_of_group ? thread.extras->products.awaited : ~0ULL;
    for (std::size_t i = 0; i < group.products.size(); ++i) {
      const AsyncProduct& product = group.products[i];
      if (product.is_freed && group.forgotten + i < own) continue;
      if (address + bytes <= product.pieces.front() || address >= product.pieces.back() + piece_bytes) continue;
      const auto piece = std::ranges::upper_bound(product.pieces, address - address % piece_bytes + piece_bytes - 1);
      if (piece != product.pieces.begin() && *(piece - 1) + piece_bytes > address) return &product;
    }
  }
  return nullptr;
}

HeldRegisters* WarpgroupUnit::registers_at(const Thread& thread, std::uintptr_t address, std::size_t bytes) {
  for (HeldRegisters& one : thread.extras->products.registers)
    if (address < one.begin + one.bytes && one.begin < address + bytes) return &one;
  return nullptr;
}

const AsyncProduct* WarpgroupUnit::user_of(const Thread& thread, const HeldRegisters& registers) {
  if (registers.product <= thread.extras->products.awaited) return nullptr;
  return &group_of(thread).product(registers.product - 1);
}

}  // namespace warpwright::simulator
