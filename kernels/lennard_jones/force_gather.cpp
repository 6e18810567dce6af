// Parameter space and launch plan of lennard_jones/force_gather.
#include "kernels/lennard_jones/force_gather.cuh"

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {
namespace {

using P = force_gather_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return force_plan(request, "force_gather", Lists(problem, p.block_size, p.layout, list_of::all, kSkin), {});
}

}  // namespace

Kernel force_gather_kernel() {
  return make_kernel(force_kernel<P>("force_gather", plan));
}

}  // namespace warpwright::lennard_jones
