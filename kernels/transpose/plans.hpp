// The plan of every transpose: one launch over the whole matrix.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::transpose {

/// The buffers of a problem: in and out.
std::vector<Buffer> buffers(const Problem& problem);

/// One launch of `function`(in, out, rows, columns) with `blocks` blocks.
Plan matrix_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, Dim3 block);

bool transposes(const Problem& problem);

/// The `supports` function of kernels that only transpose.
template <class P>
std::string only_transposes(const P&, const Problem& problem, const Device&) {
  return transposes(problem) ? "" : "transposes only (op=transpose)";
}

}  // namespace warpwright::transpose
