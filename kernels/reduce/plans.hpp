// What the plans of reductions have in common.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::reduce {

/// in and out (one element) of a problem; the elements of a product are factors.
std::vector<Buffer> buffers(const Problem& problem);

/// The value of the operator over nothing, in the problem's type.
ValueArgument identity(const Problem& problem);

/// "warpwright::reduce::sum"
std::string operator_name(const Problem& problem);

/// The plan of an empty problem: out becomes the identity, nothing is launched.
Plan empty_plan(const Problem& problem);

/// `function` reduces in to one value per block of `per_block` elements, and so on over its own results until one is
/// left, going back and forth between two scratch buffers.
Plan repeated_plan(const PlanRequest& request, const std::string& function, std::int64_t per_block, int block_size);

/// Launches of repeated_plan.
int repeated_levels(std::int64_t count, std::int64_t per_block);

/// Blocks of a grid that strides over the problem, `blocks_per_sm` on each SM: no more than there is work for.
std::int64_t persistent_blocks(const Problem& problem, const Device& device, std::int64_t per_block, int blocks_per_sm);

}  // namespace warpwright::reduce
