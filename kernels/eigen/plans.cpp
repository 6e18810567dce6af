// Plans shared by the kernels of eigen.
#include "kernels/eigen/plans.hpp"

#include <cmath>

namespace warpwright::eigen {

std::vector<Buffer> buffers(const Problem& problem) {
  const ElementType type = problem.type();
  const std::int64_t matrices = problem.shape[0];
  return {{.name = "matrix", .role = Role::in, .type = type, .count = matrices * square_of(problem)},
          {.name = "values", .role = Role::out, .type = type, .count = matrices * order_of(problem)},
          {.name = "vectors", .role = Role::out, .type = type, .count = matrices * square_of(problem)}};
}

std::vector<std::string> entry_arguments(const Problem& problem) {
  return {std::string(name_of(problem.type())), "warpwright::eigen::entries::" + problem.option("entries"),
          std::to_string(order_of(problem))};
}

Plan one_launch(const PlanRequest& request, const std::string& function, const LaunchSize& size,
                std::optional<std::int64_t> scratch_numbers, const std::vector<Argument>& further) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.shape[0] == 0) return plan;
  std::vector<Argument> arguments{pointer_to("matrix"), pointer_to("values"), pointer_to("vectors")};
  if (scratch_numbers) {
    plan.buffers.push_back({.name = "scratch",
                            .role = Role::scratch,
                            .type = problem.type(),
                            .count = problem.shape[0] * *scratch_numbers});
    arguments.push_back(pointer_to("scratch"));
  }
  arguments.insert(arguments.end(), further.begin(), further.end());
  plan.steps.push_back(
      {.what = Launch{.entry = request.entry(function, entry_arguments(problem)),
                      .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.shape[0], size.matrices))},
                      .block = {.x = static_cast<std::uint32_t>(size.threads)},
                      .shared_bytes = static_cast<std::uint32_t>(size.shared_bytes),
                      .arguments = std::move(arguments)}});
  return plan;
}

double depth_of(sweep_order order, const Problem& problem) {
  const std::int64_t rows = order_of(problem);
  const double rounds = static_cast<double>(rows - 1 + rows % 2);
  return turning_depth(most_sweeps, order == sweep_order::row_cyclic ? cyclic_stages(problem) : rounds);
}

double operations_of_sweeps(const Problem& problem) {
  if (problem.data == "diagonal") return 0;
  const auto order = static_cast<double>(order_of(problem));
  const double sweeps = 4 + 0.75 * std::log2(order);
  const double of_real = 18 * order * order * (order - 1) / 2;
  return static_cast<double>(problem.shape[0]) * sweeps * of_real * (is_complex(problem) ? 4 : 1);
}

}  // namespace warpwright::eigen
