// What a problem of the compact pattern asks for.
#pragma once

#include "kernels/model/problem.hpp"

namespace warpwright::compact {

enum class operation {
  select,     ///< out = the kept elements of in, *count how many; nothing is written behind them
  partition,  ///< the same, and behind them the others, in their order
  split       ///< out[i] = the next of packed where in[i] is kept, else 0: what undoes a selection
};

inline operation operation_of(const Problem& problem) {
  const std::string& name = problem.option("op");
  if (name == "partition") return operation::partition;
  return name == "split" ? operation::split : operation::select;
}

}  // namespace warpwright::compact
