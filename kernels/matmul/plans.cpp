// Plans shared by the matrix products.
#include "kernels/matmul/plans.hpp"

#include "kernels/runtime/storage.hpp"

namespace warpwright::matmul {

extents extents_of(const Problem& problem) {
  const std::int64_t m = problem.shape[0];
  const std::int64_t n = problem.shape[1];
  const std::int64_t k = problem.shape[2];
  return {.m = m,
          .n = n,
          .k = k,
          .lda = k + problem.integer("pad_a"),
          .ldb = (is_transposed(problem) ? k : n) + problem.integer("pad_b"),
          .ldc = n + problem.integer("pad_c")};
}

std::vector<Buffer> buffers(const Problem& problem) {
  const ElementType type = problem.type();
  const extents e = extents_of(problem);
  return {{.name = "a", .role = Role::in, .type = type, .count = e.m * e.lda},
          {.name = "b", .role = Role::in, .type = type, .count = (is_transposed(problem) ? e.n : e.k) * e.ldb},
          {.name = "c", .role = Role::inout, .type = type, .count = e.m * e.ldc}};
}

std::string form_name(const Problem& problem) {
  return "warpwright::matmul::form::" + problem.option("b");
}

ValueArgument scale_argument(ElementType type, double alpha, double beta) {
  return with_type_of<float, double>(type, [&]<class T>(T) {
    return value_of("warpwright::matmul::scale<" + std::string(name_of(type)) + ">",
                    scale<T>{.alpha = static_cast<T>(alpha), .beta = static_cast<T>(beta)});
  });
}

Plan product_plan(const PlanRequest& request, const std::string& function, Dim3 grid, Dim3 block,
                  std::uint32_t shared_bytes) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  extents e = extents_of(problem);
  if (e.m == 0 || e.n == 0) return plan;
  const double alpha = problem.number("alpha");
  if (alpha == 0) e.k = 0;
  plan.steps.push_back(
      {.what = Launch{
           .entry = request.entry(function, {std::string(name_of(problem.type())), form_name(problem)}),
           .grid = grid,
           .block = block,
           .shared_bytes = shared_bytes,
           .arguments = {pointer_to("a"), pointer_to("b"), pointer_to("c"), value_of("warpwright::matmul::extents", e),
                         scale_argument(problem.type(), alpha, problem.number("beta"))}}});
  return plan;
}

}  // namespace warpwright::matmul
