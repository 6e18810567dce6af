// The plan that every transposition has: one launch over the whole matrix.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::transpose {

/// in and out of a problem.
std::vector<Buffer> buffers(const Problem& problem);

/// One launch of `blocks` blocks of `function`, called with (in, out, rows, columns).
Plan matrix_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, Dim3 block);

bool transposes(const Problem& problem);

/// The `supports` of kernels that transpose and do nothing else.
template <class P>
std::string only_transposes(const P&, const Problem& problem, const Device&) {
  return transposes(problem) ? "" : "it transposes: op=transpose";
}

}  // namespace warpwright::transpose
