// Shared by the pattern and the plans of nbody.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/block/real.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/nbody/lanes.cuh"
#include "kernels/nbody/problems.hpp"

namespace warpwright::nbody {

/// The buffers of a problem: bodies (x, y, z and mass of each) and acceleration (x, y, z); for steps bodies and
/// velocity (x, y, z).
std::vector<Buffer> buffers(const Problem& problem);

/// The plan that launches `function`(bodies, acceleration, softening squared, count) with this many blocks. No launch
/// without bodies.
Plan force_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size);

/// The steps of the leapfrog. `launch`(from, to, kick, drift) gives the steps of one force evaluation: it reads the
/// bodies from buffer `from` and writes them to `to`; velocities change by `kick` times the acceleration, then
/// positions by `drift` times the velocity. There is half a kick before the first and after the last drift. The result
/// ends in `bodies`; `next` is scratch.
std::vector<Step> leapfrog(const Problem& problem, const std::string& bodies, const std::string& next,
                           const std::function<std::vector<Step>(const std::string& from, const std::string& to,
                                                                 double kick, double drift)>& launch);

/// Empty if the kernel computes what the problem asks for, else a reason.
template <class P>
std::string only_forces(const P&, const Problem& problem, const Device&) {
  return moves(problem) ? "gives forces (op=forces) only" : "";
}

/// Number of bodies that a warp updates together.
template <class P>
tiling tiling_of(const P& p) {
  return {.bodies_per_thread = p.bodies_per_thread, .tile = p.tile, .unroll = p.unroll};
}

/// For kernels whose blocks add the sums of their warps: number of bodies per block.
template <class P>
std::int64_t groups_of(const P& p, const Problem& problem) {
  return divide_up(problem.shape[0], bodies_of_group(tiling_of(p)));
}
template <class P>
std::vector<std::int64_t> group_tile(const P& p) {
  return {bodies_of_group(tiling_of(p))};
}

/// One tile more than the warps of a block process at the same time.
template <class P>
std::vector<std::vector<std::int64_t>> tiles_of_all_warps(const P& p, const Problem&) {
  return {{p.tile * p.block_size / 32 + 1}};
}

/// Complete groups against complete tiles; several bodies per lane cost little more than one.
template <class P>
double group_steps(const P& p, const Problem& problem) {
  const double lanes = 32.0 * static_cast<double>(groups_of(p, problem));
  const auto others = static_cast<double>(divide_up(problem.shape[0], p.tile) * p.tile);
  return evaluations(problem) * (lanes * (others + p.block_size / 32.0 * p.bodies_per_thread));
}

/// Registers of a thread: for its bodies, for one interaction, and for the rest.
template <class P>
bool has_registers(const P& p, const Surroundings& around) {
  constexpr int kBeside = 24;
  const int words = static_cast<int>(size_of(around.type())) / 4;
  const int needed = (6 * p.bodies_per_thread + 12) * words + kBeside;
  return needed <= std::min(255, around.device.registers_per_sm / (p.block_size * p.min_blocks));
}

/// Whether a static shared array of this many elements fits into a block, and min_blocks of them into an SM.
inline bool fits_shared(int elements, int min_blocks, const Surroundings& around) {
  const int bytes = elements * static_cast<int>(size_of(around.type()));
  return bytes <= around.device.shared_per_block &&
         (bytes + around.device.shared_reserved_per_block) * min_blocks <= around.device.shared_per_sm;
}

/// The axes and constraints of all kernels with several bodies per thread.
template <class P>
SpaceOf<P> lanes_space() {
  SpaceOf<P> space;
  space.axis("block_size", &P::block_size, {32, 64, 128, 256, 512})
      .axis("bodies_per_thread", &P::bodies_per_thread, {1, 2, 4, 8})
      .renamed("coarsening", "bodies_per_thread")
      .axis("tile", &P::tile, {32, 64, 128})
      .axis("unroll", &P::unroll, {1, 4, 8, 16, 32})
      .axis("min_blocks", &P::min_blocks, {1, 2, 4})
      .require("an SM holds the threads of min_blocks blocks",
               [](const P& p, const Surroundings& around) {
                 return p.block_size * p.min_blocks <= around.device.max_threads_per_sm;
               })
      .require("at most 64 pulls in an iteration of the loop",
               [](const P& p) { return p.unroll * p.bodies_per_thread <= 64; })
      .require("registers for the bodies of a thread", has_registers<P>);
  return space;
}

}  // namespace warpwright::nbody
