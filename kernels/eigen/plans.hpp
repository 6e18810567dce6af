// What the pattern and the plans of eigenvalues have in common.
#pragma once

#include <string>
#include <vector>

#include "kernels/eigen/problems.hpp"
#include "kernels/eigen/rotation.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::eigen {

/// matrix, values and vectors.
std::vector<Buffer> buffers(const Problem& problem);

/// "float, warpwright::eigen::entries::real, 8" as the template arguments of an entry.
std::vector<std::string> entry_arguments(const Problem& problem);

/// How a kernel is launched: threads of a block, the matrices that it has, and its dynamic shared memory.
struct LaunchSize {
  std::int64_t matrices = 1;
  int threads = 32;
  std::int64_t shared_bytes = 0;
};

/// One launch of `function` over all matrices with the buffers, and what is given, as arguments. `scratch_numbers` is
/// what each matrix has of a buffer "scratch", which is an argument where it is given.
Plan one_launch(const PlanRequest& request, const std::string& function, const LaunchSize& size,
                std::optional<std::int64_t> scratch_numbers, const std::vector<Argument>& further);

/// Roundings of a kernel that sweeps in that order.
double depth_of(sweep_order order, const Problem& problem);

/// Arithmetic of the sweeps that random matrices take, 4 + 0.75 log2(order) of them (6.2 of order 8, 7.7 of order 32
/// where they were counted): a rotation of each pair of rows, at 18 operations for each column where entries are real.
double operations_of_sweeps(const Problem& problem);

/// The axis `order`.
template <class P>
SpaceOf<P> with_order(SpaceOf<P> space) {
  return space.axis("order", &P::order,
                    {{sweep_order::row_cyclic, "warpwright::eigen::sweep_order::row_cyclic"},
                     {sweep_order::round_robin, "warpwright::eigen::sweep_order::round_robin"}});
}

}  // namespace warpwright::eigen
