// Lets a module compute products and sums with one rounding, as a GPU's compiler does by default.
#pragma once

#include <string>

namespace warpwright::simulator {

/// The compiler's assembler text, with other code for each multiplication whose product a later addition or subtraction
/// of the same basic block uses, and for these: the product goes into the sum without being rounded (a fused
/// multiply-add). The code is unused until Module::set_contraction puts jumps to it into the module. If the product was
/// computed by another thread meanwhile, the sum is rounded twice, as before. Code of the files in kernels/runtime/ is
/// left alone: CUDA's functions such as __fmul_rn are not contracted.
std::string with_contractions(const std::string& assembly);

}  // namespace warpwright::simulator
