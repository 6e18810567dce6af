// Host-side part shared by kernels that keep tiles of the operands in shared memory. Params have tile_m, tile_n,
// tile_k, thread_m, thread_n, bank_pad and min_blocks; `tiling_of` makes a tiling from them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/matmul/plans.hpp"
#include "kernels/matmul/tiles.cuh"

namespace warpwright::matmul {

/// Number of parts into which sums are split; 1 for params without `splits`.
template <class P>
int splits_of(const P& p) {
  if constexpr (requires { p.splits; })
    return p.splits;
  else
    return 1;
}

/// Number of neighbours that a thread multiplies together; 1 for params without `vector_width`.
template <class P>
int width_of(const P& p) {
  if constexpr (requires { p.vector_width; })
    return p.vector_width;
  else
    return 1;
}

/// Most elements that a thread copies together; for params without `copy_width` as many as it multiplies together.
template <class P>
int copy_width_of(const P& p) {
  if constexpr (requires { p.copy_width; })
    return p.copy_width;
  else
    return width_of(p);
}

/// Type of tiles in shared memory: the element type if asynchronous copies fill them, else the type to which registers
/// convert elements.
template <class P>
ElementType tile_type(const P&, const std::vector<ElementType>& types) {
  if constexpr (requires(P p) { p.stages; })
    return types.front();
  else
    return sum_type(types);
}

/// Bytes of an element of a tile.
template <class P>
int tile_element_bytes(const P& p, const std::vector<ElementType>& types) {
  return static_cast<int>(size_of(tile_type(p, types)));
}

/// Number of blocks: the tiles of C.
template <class P>
std::int64_t tiles_of(const P& p, const Problem& problem) {
  return divide_up(problem.shape[0], p.tile_m) * divide_up(problem.shape[1], p.tile_n);
}

/// Roundings of a sum: the parts are added one after another, and each part is a chain.
template <class P>
double tiled_depth(const P& p, const Problem& problem, const Device&) {
  const std::int64_t steps = divide_up(divide_up(problem.shape[2], p.tile_k), splits_of(p));
  const auto terms = static_cast<double>(std::min(problem.shape[2], steps * p.tile_k));
  return chain_depth(terms + (splits_of(p) > 1 ? splits_of(p) + 1 : 0));
}

template <class P>
std::string tiled_refusal(const P& p, const Problem& problem, const Device&) {
  return tiles_of(p, problem) <= kMostTiles ? "" : "more than 2^27 tiles";
}

/// The same for kernels that multiply with ordinary instructions.
template <class P>
std::string ordinary_refusal(const P& p, const Problem& problem, const Device& device) {
  return has_ordinary_elements(problem) ? tiled_refusal(p, problem, device)
                                        : "multiplies floats, doubles and 16-bit elements only";
}

/// Thread steps in the simulator: complete tiles; ProductsAStep products count as one step.
template <class P, int ProductsAStep = 8>
double tiled_steps(const P& p, const Problem& problem) {
  const auto tiles = static_cast<double>(products_of(problem) * tiles_of(p, problem));
  const auto terms = static_cast<double>(divide_up(problem.shape[2], p.tile_k) * p.tile_k);
  const double sums = double{1} * p.tile_m * p.tile_n;
  return tiles * (sums + terms * (p.tile_m + p.tile_n + sums / ProductsAStep));
}

/// Complete tiles side by side, with terms for all stages, so that nothing is at an edge.
template <class P>
std::vector<std::vector<std::int64_t>> tiled_edges(const P& p, const Problem&) {
  std::vector<std::vector<std::int64_t>> shapes{{p.tile_m, p.tile_n, 2 * p.tile_k},
                                                {p.tile_m + 1, p.tile_n, 3 * p.tile_k},
                                                {p.tile_m, p.tile_n + 3, 3 * p.tile_k + 1}};
  if constexpr (requires { p.stages; }) shapes.push_back({p.tile_m, p.tile_n, (2 * p.stages + 1) * p.tile_k + 4});
  return shapes;
}

template <class P>
std::vector<std::int64_t> tile_of(const P& p) {
  return {p.tile_m, p.tile_n, p.tile_k};
}

/// Loads of a thread for the tiles of one step, all in flight together.
template <class P>
int loads_of_a_step(const P& p) {
  return (p.tile_m + p.tile_n) * p.tile_k / (threads_of(tiling_of(p)) * copy_width_of(p));
}

/// Registers that each thread may have, so that `min_blocks` blocks fit into a multiprocessor.
template <class P>
int most_registers(const P& p) {
  return std::min(255, 65536 / (threads_of(tiling_of(p)) * p.min_blocks));
}

/// Registers of a thread: for its sums, for two terms, and for the rest.
template <class P>
int registers_of(const P& p, const Surroundings& around) {
  constexpr int kBeside = 24;
  const int words = static_cast<int>(size_of(sum_type(around.types))) / 4;
  return (p.thread_m * p.thread_n + 2 * (p.thread_m + p.thread_n)) * words + kBeside;
}

/// The values of the axes shared by all of these kernels.
struct TiledAxes {
  std::vector<int> tile_m, tile_n, tile_k, thread_m, thread_n, bank_pad, min_blocks;
};

/// Most bytes per access.
inline constexpr int kVectorBytes = 16;

/// The axes and constraints shared by all of these kernels.
template <class P>
SpaceOf<P> tiled_space(TiledAxes axes) {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, std::move(axes.tile_m))
      .axis("tile_n", &P::tile_n, std::move(axes.tile_n))
      .axis("tile_k", &P::tile_k, std::move(axes.tile_k))
      .axis("thread_m", &P::thread_m, std::move(axes.thread_m))
      .axis("thread_n", &P::thread_n, std::move(axes.thread_n))
      .axis("bank_pad", &P::bank_pad, std::move(axes.bank_pad))
      .axis("min_blocks", &P::min_blocks, std::move(axes.min_blocks))
      .require("at most twice as many rows as columns of a thread, or the other way round",
               [](const P& p) { return p.thread_m <= 2 * p.thread_n && p.thread_n <= 2 * p.thread_m; })
      .require("block of 32 to 512 threads",
               [](const P& p) {
                 const int threads = threads_of(tiling_of(p));
                 return threads >= 32 && threads <= 512;
               })
      .require("whole warps of threads",
               [](const P& p) {
                 const tiling s = tiling_of(p);
                 return s.n / s.thread_n % s.lanes_n == 0 && s.m / s.thread_m % (32 / s.lanes_n) == 0;
               })
      .require("vectors of the rows and columns of a thread, and of rows in shared memory",
               [](const P& p, const Surroundings& around) {
                 const int bytes = tile_element_bytes(p, around.types);
                 return p.thread_m % width_of(p) == 0 && p.thread_n % width_of(p) == 0 &&
                        p.bank_pad % width_of(p) == 0 &&
                        p.bank_pad * bytes % std::min(kVectorBytes, copy_width_of(p) * bytes) == 0;
               })
      .require("at most 16 bytes a vector",
               [](const P& p, const Surroundings& around) {
                 return width_of(p) * static_cast<int>(size_of(sum_type(around.types))) <= kVectorBytes &&
                        copy_width_of(p) * static_cast<int>(size_of(around.type())) <= kVectorBytes;
               })
      .require("registers for the sums",
               [](const P& p, const Surroundings& around) { return registers_of(p, around) <= most_registers(p); });
  return space;
}

/// Whether the threads of a block copy tiles in complete passes, in vectors of this many elements: A by rows of terms,
/// B by rows of terms and of columns.
template <class P>
bool copies_evenly(const P& p, int width_a, int width_b_plain, int width_b_transposed) {
  const int threads = threads_of(tiling_of(p));
  const auto is_even = [&](int places, int row, int width) {
    return row % width == 0 && threads % (row / width) == 0 && places * p.tile_k % (threads * width) == 0;
  };
  return is_even(p.tile_m, p.tile_k, width_a) && is_even(p.tile_n, p.tile_n, width_b_plain) &&
         is_even(p.tile_n, p.tile_k, width_b_transposed);
}

/// The text of that constraint.
inline constexpr const char* kEvenCopies = "all threads copy as much, whole rows at a time";

/// Whether they do, in vectors for all operands.
template <class P>
bool copies_vectors_evenly(const P& p) {
  return copies_evenly(p, copy_width_of(p), copy_width_of(p), copy_width_of(p));
}

/// Whether this many copies of the tiles fit into `limit` bytes of a block, and those of min_blocks blocks into an SM.
template <class P>
bool fits_shared(const P& p, const Surroundings& around, int copies, int limit) {
  const int bytes = copies * tile_elements(tiling_of(p)) * tile_element_bytes(p, around.types);
  return bytes <= limit &&
         (bytes + around.device.shared_reserved_per_block) * p.min_blocks <= around.device.shared_per_sm;
}

/// For kernels whose tiles are static shared arrays.
inline constexpr int kMostStaticShared = 48 * 1024;

/// The plan of `function`; for split sums with scratch for the parts, and a launch that adds them.
template <class P>
Plan tiled_plan(const P& p, const PlanRequest& request, const std::string& function, std::uint32_t shared_bytes = 0) {
  return split_plan(request,
                    product_plan(request, function,
                                 {.x = static_cast<std::uint32_t>(tiles_of(p, request.problem)),
                                  .z = static_cast<std::uint32_t>(splits_of(p))},
                                 {.x = static_cast<std::uint32_t>(threads_of(tiling_of(p)))}, shared_bytes),
                    splits_of(p));
}

/// The kernel `name`, whose threads each compute several elements of a tile of C.
template <class P>
KernelOf<P> register_tiles(std::string name, SpaceOf<P> space) {
  KernelOf<P> kernel{
      .pattern = "matmul",
      .name = name,
      .space = std::move(space),
      .plan = [=](const P& p, const PlanRequest& request) { return tiled_plan(p, request, name); },
      .tile = tile_of<P>,
      .depth = tiled_depth<P>,
      .edges = tiled_edges<P>,
      .supports = ordinary_refusal<P>,
      .steps = tiled_steps<P>,
      .loads_in_flight = loads_of_a_step<P>,
      .deterministic = always_deterministic<P>,
  };
  if constexpr (requires(P p) { p.splits; }) kernel.launch_axes = {"splits"};
  return kernel;
}

}  // namespace warpwright::matmul
