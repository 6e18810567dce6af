// The operations of the compact pattern.
#pragma once

#include "kernels/model/problem.hpp"

namespace warpwright::compact {

enum class operation {
  select,     ///< out = the kept elements of in, *count = their number; nothing is written after them
  partition,  ///< the kept elements, then the rejected ones, both in their order
  split       ///< out[i] = the next element of packed if in[i] is kept, else 0: the inverse of a selection
};

inline operation operation_of(const Problem& problem) {
  const std::string& name = problem.option("op");
  if (name == "partition") return operation::partition;
  return name == "split" ? operation::split : operation::select;
}

}  // namespace warpwright::compact
