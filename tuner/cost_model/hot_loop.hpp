// The loop in a kernel's machine code that does its arithmetic, and what one iteration costs.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/model/element_type.hpp"
#include "kernels/runtime/cubin/machine_code.hpp"
#include "tuner/cost_model/architecture.hpp"
#include "tuner/cost_model/natural_loops.hpp"

namespace warpwright::tuner {

/// Counts for one iteration of one warp.
struct HotLoop {
  bool is_loop = false;     ///< not the whole kernel, with one iteration per thread
  double operations = 0;    ///< per lane: the operations that a problem's work counts
  double instructions = 0;  ///< all instructions issued
  double fp32 = 0, fp64 = 0, multiply = 0, integer = 0, special = 0, conversion = 0, shuffle = 0;
  double global_loads = 0, shared = 0, local = 0, barriers = 0;
  double shared_passes = 0;   ///< least wavefronts of the shared accesses: one for each 4 bytes of a lane
  double constant_bytes = 0;  ///< of __constant__ variables that a lane reads
  /// Clocks of an iteration if the warp has its SM to itself: stalls set by the compiler, and waiting for results.
  double alone_clocks = 0;
};

/// The machine code of a kernel with its natural loops.
struct LoopedCode {
  explicit LoopedCode(std::vector<gpu::Instruction> of) : code(std::move(of)), loops(natural_loops(code)) {}

  std::vector<gpu::Instruction> code;
  std::vector<std::vector<std::size_t>> loops;
};

/// What is known about the operations.
struct CountedWork {
  /// The number of operations that a thread has to do; 0: not known. If the code outside loops has about that many
  /// (within a factor of 1.5), it is taken instead, with one iteration per thread. Loops are then for a few threads
  /// only, such as those at an image's edges.
  double of_thread = 0;
  bool integers = false;  ///< for integer types, all integer instructions count; else such a kernel has no hot loop
};

/// Finds the loop with the most arithmetic of that type, not counting inner loops; if no loop has any such arithmetic,
/// the whole kernel. Nothing if the kernel has none.
/// Instructions skipped by a predicate or a branch are counted, and so is the slow path of a division in the loop.
std::optional<HotLoop> hot_loop(const LoopedCode& looped, ElementType arithmetic, const CountedWork& work = {},
                                const Latencies& latencies = {});

/// Whether a loop that loads from global memory has atomics on it too. Then these are done for elements that are
/// loaded; else once by a thread, or in a loop over what the block has gathered.
bool has_atomics_of_elements(const LoopedCode& looped);

/// The same for shuffles, votes, reductions and matches between the lanes of a warp.
bool has_exchanges_of_elements(const LoopedCode& looped);

}  // namespace warpwright::tuner
