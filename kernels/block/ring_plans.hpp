// Host-side part shared by kernels with a ring of stages (kernels/block/ring.cuh): their space, their launch, and
// shapes at which they are likely to fail. Params have compute_warps, look_back_warps, coarsening, vector_width,
// stages, delay and a block::restore.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright {

/// The values of an axis of type block::restore, with their C++ names.
template <class Restore>
std::vector<Restore> restore_values() {
  return {Restore::memset, Restore::last_block};
}

/// Number of elements of a tile.
template <class P>
int ring_tile(const P& p) {
  return p.compute_warps * 32 * p.coarsening;
}

/// The reason why a device cannot run such kernels; empty if it can.
inline std::string ring_refusal(const Device& device) {
  return device.compute_capability >= 90 ? "" : "bulk copies that complete a phase need sm_90";
}

namespace detail {

/// Whether the tiles and the messages between the block's warps fit into shared memory.
template <class P>
bool fits_ring(const P& p, const Surroundings& around) {
  const int shared_storage = p.stages * (2 * p.compute_warps + 10) * 8 + 512;
  const int bytes = p.stages * ring_tile(p) * static_cast<int>(size_of(around.type())) + shared_storage;
  return !ring_refusal(around.device).empty() ||
         (bytes <= around.device.shared_per_block_optin &&
          bytes + around.device.shared_reserved_per_block <= around.device.shared_per_sm);
}

}  // namespace detail

template <class P>
SpaceOf<P> ring_space(std::vector<int> coarsenings, std::vector<int> vector_widths) {
  SpaceOf<P> space;
  space.axis("compute_warps", &P::compute_warps, {4, 8, 16})
      .axis("look_back_warps", &P::look_back_warps, {1, 2, 4})
      .axis("coarsening", &P::coarsening, std::move(coarsenings))
      .axis("vector_width", &P::vector_width, std::move(vector_widths))
      .axis("stages", &P::stages, {3, 4, 5, 6, 7, 8})
      .axis("delay", &P::delay, {1, 2, 3, 4, 5, 6})
      .axis("restore", &P::restore, restore_values<decltype(P::restore)>())
      .require("two stages more than the delay", [](const P& p) { return p.delay + 2 <= p.stages; })
      .require("shared memory holds the ring", detail::fits_ring<P>);
  return space;
}

/// Number of blocks: one per SM, but no more than tiles.
template <class P>
std::int64_t ring_blocks(const P& p, const Problem& problem, const Device& device) {
  return std::min<std::int64_t>(divide_up(problem.elements(), ring_tile(p)), device.sm_count);
}

/// Appends scratch buffers and the launch of `entry`(arguments ..., descriptors, departed, n) with blocks of
/// block::ring_threads. `descriptor_words` is the size of a tile's descriptor. If descriptors do not restore
/// themselves, a timed step before the launch zeroes them.
template <class P>
void add_ring_launch(Plan& plan, const P& p, const PlanRequest& request, const std::string& entry, int threads,
                     std::vector<Argument> arguments, std::int64_t descriptor_words) {
  const Problem& problem = request.problem;
  const std::int64_t words = divide_up(problem.elements(), ring_tile(p)) * descriptor_words;
  const bool restores_itself = p.restore == decltype(p.restore)::last_block;
  plan.buffers.push_back({.name = "descriptors",
                          .role = Role::scratch,
                          .type = ElementType::u64,
                          .count = words,
                          .self_restoring = restores_itself});
  plan.buffers.push_back(
      {.name = "departed", .role = Role::scratch, .type = ElementType::u32, .count = 1, .self_restoring = true});
  if (!restores_itself)
    plan.steps.push_back({.what = Memset{.buffer = "descriptors", .count = words, .value = value(std::uint64_t{0})}});
  for (Argument& argument :
       std::vector<Argument>{pointer_to("descriptors"), pointer_to("departed"), value(problem.elements())})
    arguments.push_back(std::move(argument));
  const std::int64_t ring_bytes = std::int64_t{p.stages} * ring_tile(p) * size_of(problem.type());
  plan.steps.push_back(
      {.what = Launch{.entry = entry,
                      .grid = {.x = static_cast<std::uint32_t>(ring_blocks(p, problem, request.device))},
                      .block = {.x = static_cast<std::uint32_t>(threads)},
                      .shared_bytes = static_cast<std::uint32_t>(ring_bytes),
                      .arguments = std::move(arguments),
                      .cooperative = true}});
}

/// Lengths at which the ring wraps around, on few SMs and on one, with a last round just begun. For small tiles also
/// more tiles than a look-back warp has lanes.
template <class P>
std::vector<std::vector<std::int64_t>> ring_edges(const P& p, const Problem&) {
  constexpr std::int64_t kSmall = 2048, kMoreThanLanes = 35;
  const std::int64_t tile = ring_tile(p);
  std::vector<std::vector<std::int64_t>> edges{
      {(p.stages + 1) * tile}, {(3 * p.stages + 1) * tile}, {3 * (p.stages + p.delay) * tile + 1}};
  if (tile <= kSmall) edges.push_back({kMoreThanLanes * tile});
  return edges;
}

/// Loads of a thread in flight: those of all stages not yet in use.
template <class P>
int ring_loads_in_flight(const P& p) {
  return p.coarsening / p.vector_width * (p.stages - p.delay);
}

}  // namespace warpwright
