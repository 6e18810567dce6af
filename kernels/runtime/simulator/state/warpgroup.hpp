// Products that warpgroups have started (wgmma): which are under way, what they read, and which registers they use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "kernels/runtime/cpu_model/matrix_operands.cuh"
#include "kernels/runtime/simulator/state/vector_clock.hpp"

namespace warpwright::simulator {

struct Thread;

inline constexpr unsigned warps_of_group = 4;
inline constexpr unsigned lanes_of_group = 128;

/// Registers of a lane that follow each other.
struct RegisterRange {
  void* begin = nullptr;
  std::size_t bytes = 0;
};

/// A product from its start until all lanes have waited for it.
struct AsyncProduct {
  WarpgroupProduct what{};             ///< as the first lane gave it
  const Thread* first = nullptr;       ///< that lane
  const void* site = nullptr;          ///< where it started the product
  std::vector<std::uintptr_t> pieces;  ///< of 16 bytes in shared memory, which it reads; sorted
  std::vector<std::uint32_t> of_a;     ///< registers of all lanes, if A is in registers
  std::array<std::vector<RegisterRange>, lanes_of_group> to{};  ///< where the lanes have their sums
  /// The sums of all lanes, shared by products that add to the same ones.
  std::shared_ptr<std::vector<std::uint32_t>> sums;
  unsigned joined = 0;     ///< a bit for each warp that has started it
  bool is_done = false;    ///< the sums are ready
  bool is_freed = false;   ///< a wait has covered it: nothing reads its operands any more
  unsigned delivered = 0;  ///< lanes that have their sums

  bool has_all_warps() const { return joined == (1U << warps_of_group) - 1; }
};

/// Four warps that multiply together.
struct Warpgroup {
  std::deque<AsyncProduct> products;                    ///< those that some lane has not waited for, in order
  std::uint64_t forgotten = 0;                          ///< the number of the first of them
  std::array<std::uint64_t, warps_of_group> started{};  ///< products of each warp
  std::array<std::vector<std::uint64_t>, warps_of_group> committed;  ///< of each group: the products up to its end
  std::array<std::uint64_t, warps_of_group> awaited{};               ///< products that the warp's last wait covers
  std::array<std::size_t, warps_of_group> awaited_groups{};          ///< the same, in groups

  AsyncProduct& product(std::uint64_t number) { return products[number - forgotten]; }
};

/// Registers of a lane that products use: its sums, or its part of A.
struct HeldRegisters {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uint64_t product = 0;      ///< number of the last product that uses them, plus 1
  const void* touched = nullptr;  ///< where the lane accessed them since its last products_fence; null: nowhere
};

/// What a lane knows of its products.
struct LaneProducts {
  std::vector<HeldRegisters> registers = {};
  std::uint64_t awaited = 0;       ///< products that its waits have covered
  std::size_t awaited_groups = 0;  ///< the same, in groups
  bool has_fenced = false;         ///< it has executed products_fence
  // Of fence_async: accesses of the thread up to this time are before it, and those of the block before that one.
  std::uint32_t fenced = 0, fenced_of_block = 0;
  SharedClock fenced_of_others = nullptr;  ///< what else had happened before its last fence_async
};

}  // namespace warpwright::simulator
