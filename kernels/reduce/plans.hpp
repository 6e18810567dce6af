// What the plans of reductions have in common.
#pragma once

#include <stdexcept>

#include "kernels/model/kernel.hpp"

namespace warpwright::reduce {

/// use(T()) with the C++ type of the problem's elements.
template <class Use>
auto with_type_of(const Problem& problem, Use use) {
  switch (problem.type()) {
    case ElementType::f32:
      return use(0.0F);
    case ElementType::f64:
      return use(0.0);
    case ElementType::i32:
      return use(std::int32_t{});
    case ElementType::i64:
      return use(std::int64_t{});
    default:
      throw std::logic_error("reduce has no elements of type " + std::string(name_of(problem.type())));
  }
}

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
