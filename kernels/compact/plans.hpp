// Shared by the plans of compact.
#pragma once

#include "kernels/block/look_back_plans.hpp"
#include "kernels/block/ring_plans.hpp"
#include "kernels/compact/operation.hpp"
#include "kernels/compact/tile_counts.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::compact {

/// The buffers of a problem: in, out (same number of elements) and count; for a split in, packed (same number of
/// elements, of which the first are used) and out.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::compact::positive"
std::string predicate_name(const Problem& problem);

/// The leading template arguments of kernels: type and predicate of the problem.
std::vector<std::string> arguments(const Problem& problem);

/// The plan for an empty problem: sets the count to 0, launches nothing.
Plan empty_plan(const Problem& problem);

/// The `supports` function of kernels that implement one operation.
template <class P, operation Operation>
std::string only(const P&, const Problem& problem, const Device&) {
  constexpr const char* kNames[]{"select", "partition", "split"};
  std::string reason;
  if (operation_of(problem) != Operation) reason.append("solves op=").append(kNames[static_cast<int>(Operation)]);
  return reason;
}

template <class P>
int vectors_in_flight(const P& p) {
  return p.coarsening / p.vector_width;
}

/// The axes that kernels with a tile for each block share.
template <class P>
SpaceOf<P> tile_space() {
  SpaceOf<P> space;
  space.axis("block_size", &P::block_size, {128, 256, 512, 1024})
      .axis("coarsening", &P::coarsening, {8, 16, 24, 32})
      .axis("vector_width", &P::vector_width, {1, 2, 4})
      .axis("min_blocks", &P::min_blocks, {1, 2, 4})
      .require("at most 128 bytes held a thread",
               [](const P& p, const Surroundings& around) {
                 return p.coarsening * static_cast<int>(size_of(around.type())) <= 128;
               })
      // With fewer threads per SM the launch bounds change nothing; with more there are too few registers.
      .require("launch bounds ask for 1024 threads an SM, or for nothing",
               [](const P& p) { return p.min_blocks == 1 || p.block_size * p.min_blocks == 1024; });
  return space;
}

/// The names of the axis values.
inline std::vector<store> store_values() {
  return {store::direct, store::staged};
}

/// Bytes of dynamic shared memory: one tile if it is staged, else none.
template <class P>
int staged_bytes(const P& p, ElementType type) {
  return p.store == store::staged ? static_cast<int>(tile_elements(p)) * static_cast<int>(size_of(type)) : 0;
}

/// Whether `min_blocks` blocks that each stage this many bytes fit on an SM.
bool fits_blocks(int staged_bytes, int block_size, int min_blocks, const Device& device);

/// The axes of kernels that may stage a tile.
template <class P>
SpaceOf<P> staged_space() {
  auto space = tile_space<P>();
  space.axis("store", &P::store, store_values())
      .require("shared memory holds what is staged", [](const P& p, const Surroundings& around) {
        return fits_blocks(staged_bytes(p, around.type()), p.block_size, p.min_blocks, around.device);
      });
  return space;
}

/// How a plan launches one of several kernels.
struct Grid {
  std::int64_t blocks = 0;
  int block_size = 0;
  int shared_bytes = 0;
};

Launch launch(std::string entry, const Grid& grid, std::vector<Argument> arguments);

/// Buffers and steps of kernels that count the kept elements per tile and scan the counts. Afterwards the scratch
/// buffer "counts" has the count before each tile, and "count" the total.
Plan counted_plan(const PlanRequest& request, const Grid& tiles, int scan_block);

/// Shapes at which the counts of tiles fill half a warp, or the block that scans them.
template <class P>
std::vector<std::vector<std::int64_t>> count_edges(const P& p, const Problem&) {
  const std::int64_t full = tile_elements(p) * p.scan_block * block::kSequenceItems;
  return {{tile_elements(p) * 17 * block::kSequenceItems}, {full - 1}, {full}, {full + 1}};
}

/// Thread steps of kernels that read every element twice.
template <class P>
double two_readings(const P&, const Problem& problem) {
  return 2 * static_cast<double>(problem.elements());
}

/// Buffers of kernels with a ticket and look-back, and a step that zeroes the descriptors if they do not restore
/// themselves.
Plan look_back_plan(const Problem& problem, std::int64_t tiles, bool restores_itself);

/// The kernel `name` of one operation, with a ticket and look-back; `space` has its other axes.
template <class P>
KernelOf<P> look_back_kernel(std::string name, SpaceOf<P> space, Plan (*plan)(const P&, const PlanRequest&),
                             std::string (*supports)(const P&, const Problem&, const Device&)) {
  return {
      .pattern = "compact",
      .name = std::move(name),
      .default_params = {},
      .space = space.axis("window", &P::window, {1, 32})
                   .axis("restore", &P::restore, restore_values<decltype(P::restore)>()),
      .plan = plan,
      .tile = tile_extents<P>,
      .edges = [](const P& p, const Problem&) { return look_back_edges(tile_elements(p), p.window); },
      .supports = supports,
      .loads_in_flight = vectors_in_flight<P>,
      .deterministic = always_deterministic<P>,
  };
}

}  // namespace warpwright::compact
