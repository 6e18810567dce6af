// Plans shared by the kernels of matmul.
#include "kernels/matmul/plans.hpp"

#include "kernels/model/program.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::matmul {

std::vector<Buffer> buffers(const Problem& problem) {
  const ElementType type = problem.type();
  const ElementType sum = sum_type(problem.types);
  const extents e = extents_of(problem);
  const std::int64_t products = products_of(problem);
  return {{.name = "a", .role = Role::in, .type = type, .count = products * e.m * e.lda},
          {.name = "b", .role = Role::in, .type = type, .count = products * rows_of_b(problem) * e.ldb},
          {.name = "c", .role = Role::inout, .type = sum, .count = products * e.m * e.ldc}};
}

std::string form_name(const Problem& problem) {
  return "warpwright::matmul::form::" + problem.option("b");
}

std::string element_name(const Problem& problem) {
  // Kernels see CUDA's own halves, but the other short floats as they are stored.
  return std::string(has_halves(problem) ? name_of(problem.type()) : storage_name(problem.type()));
}

ValueArgument scale_argument(ElementType sum, double alpha, double beta) {
  return with_type_of<int, float, double>(sum, [&]<class Sum>(Sum) {
    return value_of("warpwright::matmul::scale<" + std::string(name_of(sum)) + ">",
                    scale<Sum>{.alpha = static_cast<Sum>(alpha), .beta = static_cast<Sum>(beta)});
  });
}

Plan product_plan(const PlanRequest& request, const std::string& function, Dim3 grid, Dim3 block,
                  std::uint32_t shared_bytes) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  extents e = extents_of(problem);
  if (e.m == 0 || e.n == 0) return plan;
  e.k = terms_of(problem);
  grid.y = static_cast<std::uint32_t>(products_of(problem));
  plan.steps.push_back(
      {.what = Launch{
           .entry = request.entry(function, {element_name(problem), form_name(problem)}),
           .grid = grid,
           .block = block,
           .shared_bytes = shared_bytes,
           .arguments = {
               pointer_to("a"), pointer_to("b"), pointer_to("c"), value_of("warpwright::matmul::extents", e),
               scale_argument(sum_type(problem.types), factor_of(problem, "alpha"), factor_of(problem, "beta"))}}});
  return plan;
}

Plan split_plan(const PlanRequest& request, Plan whole, int splits) {
  if (splits == 1 || whole.steps.empty()) return whole;
  constexpr std::int64_t kBlock = 256;
  const Problem& problem = request.problem;
  const ElementType sum = sum_type(problem.types);
  auto& parts = std::get<Launch>(whole.steps.front().what);
  const std::int64_t rows = products_of(problem) * problem.shape[0];
  const std::int64_t count = rows * problem.shape[1];
  whole.buffers.push_back({.name = "parts", .role = Role::scratch, .type = sum, .count = splits * count});
  const Argument by = parts.arguments[4];
  extents of_c = extents_of(problem);
  of_c.m = rows;
  extents packed = extents_of(problem);
  packed.k = terms_of(problem);
  packed.ldc = packed.n;
  parts.arguments[2] = pointer_to("parts");
  parts.arguments[3] = value_of("warpwright::matmul::extents", packed);
  parts.arguments[4] = scale_argument(sum, 1, 0);
  whole.steps.push_back(
      {.what = Launch{.entry = "warpwright::matmul::add_parts<" + std::string(name_of(sum)) + ">",
                      .grid = {.x = static_cast<std::uint32_t>(divide_up(count, kBlock))},
                      .block = {.x = kBlock},
                      .arguments = {pointer_to("parts"), pointer_to("c"), value_of("warpwright::matmul::extents", of_c),
                                    by, value(splits)}}});
  return whole;
}

}  // namespace warpwright::matmul
