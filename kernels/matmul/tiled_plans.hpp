// What the kernels that keep tiles of operands in shared memory have in common on the host. Params have tile_m, tile_n,
// tile_k, thread_m, thread_n, bank_pad and min_blocks, and `tiling_of` makes a tiling of them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/matmul/plans.hpp"
#include "kernels/matmul/tiles.cuh"

namespace warpwright::matmul {

/// Parts that the sums are split into; 1 for params without `splits`.
template <class P>
int splits_of(const P& p) {
  if constexpr (requires { p.splits; })
    return p.splits;
  else
    return 1;
}

/// Neighbours that a thread multiplies; 1 for params without `vector_width`.
template <class P>
int width_of(const P& p) {
  if constexpr (requires { p.vector_width; })
    return p.vector_width;
  else
    return 1;
}

/// Elements that a thread copies together at most: what it multiplies together for params without `copy_width`.
template <class P>
int copy_width_of(const P& p) {
  if constexpr (requires { p.copy_width; })
    return p.copy_width;
  else
    return width_of(p);
}

/// What tiles in shared memory hold: where asynchronous copies fill them, elements as they are; else what these become
/// on their way through registers.
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

/// Blocks of the tiles of C.
template <class P>
std::int64_t tiles_of(const P& p, const Problem& problem) {
  return divide_up(problem.shape[0], p.tile_m) * divide_up(problem.shape[1], p.tile_n);
}

/// Roundings of a sum: it is made of one part after the other, each a chain.
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

/// What running it on a CPU takes: whole tiles, of whose products so many make a step.
template <class P, int ProductsAStep = 8>
double tiled_steps(const P& p, const Problem& problem) {
  const auto tiles = static_cast<double>(tiles_of(p, problem));
  const auto terms = static_cast<double>(divide_up(problem.shape[2], p.tile_k) * p.tile_k);
  const double sums = double{1} * p.tile_m * p.tile_n;
  return tiles * (sums + terms * (p.tile_m + p.tile_n + sums / ProductsAStep));
}

/// Whole tiles, one beside another and with terms for all stages: where nothing is at an edge.
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

/// Loads of a thread for the tiles of a step, all of which are under way together.
template <class P>
int loads_of_a_step(const P& p) {
  return (p.tile_m + p.tile_n) * p.tile_k / (threads_of(tiling_of(p)) * copy_width_of(p));
}

/// Registers that a thread needs for its sums, for two terms, and beside them.
template <class P>
int registers_of(const P& p, const Surroundings& around) {
  constexpr int kBeside = 24;
  const int words = static_cast<int>(size_of(sum_type(around.types))) / 4;
  return (p.thread_m * p.thread_n + 2 * (p.thread_m + p.thread_n)) * words + kBeside;
}

/// The values of the axes that all of them have.
struct TiledAxes {
  std::vector<int> tile_m, tile_n, tile_k, thread_m, thread_n, bank_pad, min_blocks;
};

/// Most bytes of an access.
inline constexpr int kVectorBytes = 16;

/// The axes and the constraints that all of them have.
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
      .require("block of 64 to 512 threads",
               [](const P& p) {
                 const int threads = threads_of(tiling_of(p));
                 return threads >= 64 && threads <= 512;
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
      .require("registers for the sums", [](const P& p, const Surroundings& around) {
        return registers_of(p, around) <= std::min(255, 65536 / (threads_of(tiling_of(p)) * p.min_blocks));
      });
  return space;
}

/// Whether the threads of a block copy tiles in whole passes: of A by rows of terms, of B by rows of terms and of
/// columns, in vectors of these elements.
template <class P>
bool copies_evenly(const P& p, int width_a, int width_b_plain, int width_b_transposed) {
  const int threads = threads_of(tiling_of(p));
  const auto is_even = [&](int places, int row, int width) {
    return row % width == 0 && threads % (row / width) == 0 && places * p.tile_k % (threads * width) == 0;
  };
  return is_even(p.tile_m, p.tile_k, width_a) && is_even(p.tile_n, p.tile_n, width_b_plain) &&
         is_even(p.tile_n, p.tile_k, width_b_transposed);
}

/// The words of that constraint.
inline constexpr const char* kEvenCopies = "all threads copy as much, whole rows at a time";

/// Whether they do in vectors of all operands.
template <class P>
bool copies_vectors_evenly(const P& p) {
  return copies_evenly(p, copy_width_of(p), copy_width_of(p), copy_width_of(p));
}

/// Whether so many copies of the tiles fit into `limit` bytes of a block, and those of min_blocks into a
/// multiprocessor.
template <class P>
bool fits_shared(const P& p, const Surroundings& around, int copies, int limit) {
  const int bytes = copies * tile_elements(tiling_of(p)) * tile_element_bytes(p, around.types);
  return bytes <= limit &&
         (bytes + around.device.shared_reserved_per_block) * p.min_blocks <= around.device.shared_per_sm;
}

/// Of kernels whose tiles are ordinary shared arrays.
inline constexpr int kMostStaticShared = 48 * 1024;

/// The plan of `function`; where the sums are split, of their parts in scratch and of what adds these up.
template <class P>
Plan tiled_plan(const P& p, const PlanRequest& request, const std::string& function, std::uint32_t shared_bytes = 0) {
  return split_plan(request,
                    product_plan(request, function,
                                 {.x = static_cast<std::uint32_t>(tiles_of(p, request.problem)),
                                  .z = static_cast<std::uint32_t>(splits_of(p))},
                                 {.x = static_cast<std::uint32_t>(threads_of(tiling_of(p)))}, shared_bytes),
                    splits_of(p));
}

/// A kernel of that name whose threads each sum up several elements of a tile of C.
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
      .supports = tiled_refusal<P>,
      .steps = tiled_steps<P>,
      .loads_in_flight = loads_of_a_step<P>,
      .deterministic = always_deterministic<P>,
  };
  if constexpr (requires(P p) { p.splits; }) kernel.launch_axes = {"splits"};
  return kernel;
}

}  // namespace warpwright::matmul
