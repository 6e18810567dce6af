// Shared by the pattern and the plans of eigen.
#pragma once

#include <string>
#include <vector>

#include "kernels/eigen/problems.hpp"
#include "kernels/eigen/rotation.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::eigen {

/// The buffers of a problem: matrix, values and vectors.
std::vector<Buffer> buffers(const Problem& problem);

/// The template arguments of an entry: "float, warpwright::eigen::entries::real, 8".
std::vector<std::string> entry_arguments(const Problem& problem);

/// The launch configuration of a kernel: threads per block, matrices per block, dynamic shared memory.
struct LaunchSize {
  std::int64_t matrices = 1;
  int threads = 32;
  std::int64_t shared_bytes = 0;
};

/// One launch of `function` for all matrices; arguments are the buffers and `arguments`. If `scratch_numbers` (per
/// matrix) is given, a buffer "scratch" of that size is an argument too.
Plan one_launch(const PlanRequest& request, const std::string& function, const LaunchSize& size,
                std::optional<std::int64_t> scratch_numbers, const std::vector<Argument>& further);

/// The depth (roundings) of a kernel that sweeps in that order.
double depth_of(sweep_order order, const Problem& problem);

/// The arithmetic of the sweeps that random matrices need, which are 4 + 0.75 log2(order) sweeps (counted: 6.2 for
/// order 8, 7.7 for order 32). A sweep rotates each pair of rows, with 18 operations per column for real entries.
double operations_of_sweeps(const Problem& problem);

/// The axis `order`.
template <class P>
SpaceOf<P> with_order(SpaceOf<P> space) {
  return space.axis("order", &P::order, {sweep_order::row_cyclic, sweep_order::round_robin});
}

}  // namespace warpwright::eigen
