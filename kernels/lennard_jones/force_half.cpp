// Parameter space and launch plan of lennard_jones/force_half.
#include "kernels/lennard_jones/force_half.cuh"

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {
namespace {

using P = force_half_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return force_plan(request, "force_half", Lists(problem, p.block_size, p.layout, list_of::after, kSkin),
                    {{.what = Memset{.buffer = "force", .count = 3 * problem.shape[0], .value = real(problem, 0)}}});
}

}  // namespace

Kernel force_half_kernel() {
  return make_kernel(force_kernel<P>("force_half", plan));
}

}  // namespace warpwright::lennard_jones
