// The loops of a kernel's machine code.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/runtime/cubin/machine_code.hpp"

namespace warpwright::tuner {

/// The natural loops of the code, each as the numbers of its instructions in ascending order. Source: A. V. Aho et al.,
/// Compilers, 2nd edition, section 9.6. The compiler moves code that is rarely run, such as what a divergent warp does
/// at a vote, behind the end, and jumps back from there: such a jump closes no loop.
std::vector<std::vector<std::size_t>> natural_loops(const std::vector<gpu::Instruction>& code);

}  // namespace warpwright::tuner
