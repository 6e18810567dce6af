// Parameter space and launch plan of matmul/async_copy.
#include "kernels/matmul/async_copy.cuh"

#include "kernels/matmul/tiled_plans.hpp"
#include "kernels/model/refusals.hpp"

namespace warpwright::matmul {
namespace {

using P = async_copy_params;

/// Elements of the smallest copy.
int least_copy(const Surroundings& around) {
  return terms_together_in(static_cast<int>(size_of(around.type())));
}

Plan plan(const P& p, const PlanRequest& request) {
  const int bytes = p.stages * tile_elements(tiling_of(p)) * tile_element_bytes(p, request.problem.types);
  return tiled_plan(p, request, "async_copy", static_cast<std::uint32_t>(bytes));
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  const std::string refusal = no_async_copies(device);
  return refusal.empty() ? ordinary_refusal(p, problem, device) : refusal;
}

}  // namespace

Kernel async_copy_kernel() {
  auto kernel = register_tiles<P>(
      "async_copy",
      tiled_space<P>({.tile_m = {64, 128},
                      .tile_n = {64, 128, 256},
                      .tile_k = {8, 16},
                      .thread_m = {4, 8},
                      .thread_n = {4, 8, 16},
                      .bank_pad = {2, 4, 8},
                      .min_blocks = {1, 2}})
          .axis("vector_width", &P::vector_width, {2, 4})
          .axis("copy_width", &P::copy_width, {1, 2, 4, 8})
          .axis("lanes_n", &P::lanes_n, {4, 8})
          .axis("stages", &P::stages, {2, 3, 4})
          .axis("group_m", &P::group_m, {1, 8})
          .axis("splits", &P::splits, {1, 4, 16})
          .axis("vector_store", &P::vector_store, {false, true})
          .require("4 bytes of an asynchronous copy at least",
                   [](const P& p, const Surroundings& around) { return p.copy_width >= least_copy(around); })
          .require("rows padded by more than 4 elements in 16 bytes",
                   [](const P& p, const Surroundings& around) {
                     return p.bank_pad <= 4 || p.bank_pad * tile_element_bytes(p, around.types) <= kVectorBytes;
                   })
          .require(kEvenCopies,
                   [](const P& p, const Surroundings& around) {
                     const int least = least_copy(around);
                     return copies_evenly(p, least, p.copy_width, least);
                   })
          .require("shared memory holds the stages", [](const P& p, const Surroundings& around) {
            return !no_async_copies(around.device).empty() ||
                   fits_shared(p, around, p.stages, around.device.shared_per_block_optin);
          }));
  kernel.plan = plan;
  kernel.supports = supports;
  kernel.loads_in_flight = [](const P& p) { return loads_of_a_step(p) * (p.stages - 1); };
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
