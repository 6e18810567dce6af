// What the plans of compactions have in common.
#pragma once

#include <stdexcept>

#include "kernels/model/kernel.hpp"

namespace warpwright::compact {

/// use(T()) with the C++ type of the problem's elements.
template <class Use>
auto with_type_of(const Problem& problem, Use use) {
  switch (problem.type()) {
    case ElementType::f32:
      return use(0.0F);
    case ElementType::f64:
      return use(0.0);
    case ElementType::i32:
      return use(int{});
    case ElementType::i64:
      return use(0LL);
    case ElementType::u32:
      return use(0U);
    default:
      throw std::logic_error("compact has no elements of type " + std::string(name_of(problem.type())));
  }
}

/// in, out (as many elements) and count of a problem.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::compact::positive"
std::string predicate_name(const Problem& problem);

/// The plan of an empty problem: the count becomes 0, nothing is launched.
Plan empty_plan(const Problem& problem);

}  // namespace warpwright::compact
