// The loop of a kernel in which its arithmetic is done, as the machine code has it: what a turn of it costs.
#pragma once

#include <optional>
#include <vector>

#include "kernels/model/element_type.hpp"
#include "kernels/runtime/cubin/machine_code.hpp"

namespace warpwright::tuner {

/// One turn of a warp, counted in instructions.
struct HotLoop {
  double operations = 0;    ///< of a lane: those that a problem's work counts
  double instructions = 0;  ///< all that are issued
  double fp32 = 0, fp64 = 0, multiply = 0, integer = 0, special = 0, conversion = 0, shuffle = 0;
  double global_loads = 0, shared = 0, local = 0, barriers = 0;
  /// Clocks of a turn of a warp that has its SM to itself: stalls that the compiler set, and waiting for results.
  double alone_clocks = 0;
};

/// The loop with most arithmetic of that type, without the loops within it: of all backward branches the one whose body
/// holds most operations; the whole kernel where no loop has any. None without such arithmetic. What a predicate or a
/// branch leaves out counts all the same, and so does the slow way of a division where it stands in the loop.
/// Where all that a thread has to do stands outside of loops (what is there holds `of_thread` operations, within a
/// factor of 1.5), that is it, one turn a thread: loops are then the way of few, such as those at an image's edges.
std::optional<HotLoop> hot_loop(const std::vector<gpu::Instruction>& code, ElementType arithmetic,
                                double of_thread = 0);

}  // namespace warpwright::tuner
