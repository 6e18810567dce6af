// Plans shared by the kernels of random.
#include "kernels/random/plans.hpp"

namespace warpwright::random {

std::vector<Buffer> buffers(const Problem& problem) {
  return {{.name = "seed", .role = Role::in, .type = ElementType::u64, .count = 1},
          {.name = "out", .role = Role::out, .type = problem.type(), .count = problem.elements()}};
}

std::int64_t sequence_blocks(const Problem& problem) {
  if (problem.elements() == 0) return 0;
  const auto each = static_cast<std::int64_t>(16 / size_of(problem.type()));
  return divide_up(problem.integer("offset") % each + problem.elements(), each);
}

Plan random_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (blocks == 0) return plan;
  const std::string distribution = !is_normal(problem) ? "uniform" : is_inverse(problem) ? "inverse" : "box_muller";
  plan.steps.push_back({.what = Launch{.entry = request.entry(function, {std::string(name_of(problem.type())),
                                                                         "warpwright::random::" + distribution}),
                                       .grid = {.x = static_cast<std::uint32_t>(blocks)},
                                       .block = {.x = static_cast<std::uint32_t>(block_size)},
                                       .arguments = {pointer_to("seed"), pointer_to("out"), value(offset_of(problem)),
                                                     value(problem.elements())}}});
  return plan;
}

double roundings(const Problem& problem) {
  if (!is_normal(problem)) return 0;
  const bool is_single = problem.type() == ElementType::f32;
  // A unit in the last place is two roundings. Source: CUDA C++ Programming Guide, mathematical functions: normcdfinv 5
  // and 8 units for float and double, log 1, sincospi 1 and 2. A square root halves the error of its operand.
  if (is_inverse(problem)) return is_single ? 10 : 16;
  const double of_length = 1 + 1;
  const double of_direction = is_single ? 2 : 4;
  return of_length + of_direction + 1;
}

}  // namespace warpwright::random
