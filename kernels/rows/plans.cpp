// Plans shared by the kernels of rows.
#include "kernels/rows/plans.hpp"

#include "kernels/runtime/storage.hpp"

namespace warpwright::rows {

std::vector<Buffer> buffers(const Problem& problem) {
  const ElementType type = problem.type();
  std::vector<Buffer> made{{.name = "in", .role = Role::in, .type = type, .count = problem.elements()}};
  if (has_weights(problem))
    made.push_back({.name = "weight", .role = Role::in, .type = type, .count = problem.shape[1]});
  if (has_biases(problem)) made.push_back({.name = "bias", .role = Role::in, .type = type, .count = problem.shape[1]});
  made.push_back({.name = "out", .role = Role::out, .type = type, .count = problem.elements()});
  return made;
}

std::vector<std::string> entry_arguments(const Problem& problem) {
  const std::string type = problem.type() == ElementType::f16    ? "warpwright::float16"
                           : problem.type() == ElementType::bf16 ? "warpwright::bfloat16"
                                                                 : "float";
  return {type, "warpwright::rows::operation::" + problem.option("op")};
}

ValueArgument matrix_argument(const Problem& problem) {
  return value_of("warpwright::rows::matrix", matrix{.rows = problem.shape[0],
                                                     .columns = static_cast<int>(problem.shape[1]),
                                                     .epsilon = static_cast<float>(problem.number("epsilon"))});
}

Step row_step(const PlanRequest& request, const std::string& function, const row_grid& grid,
              std::vector<Argument> more) {
  const Problem& problem = request.problem;
  Launch launch{.entry = request.entry(function, entry_arguments(problem)),
                .grid = {.x = static_cast<std::uint32_t>(grid.blocks)},
                .block = {.x = static_cast<std::uint32_t>(grid.block_size)},
                .cluster = {.x = static_cast<std::uint32_t>(grid.cluster)},
                .shared_bytes = static_cast<std::uint32_t>(grid.shared_bytes),
                .arguments = {pointer_to("in"), pointer_to(has_weights(problem) ? "weight" : "in"),
                              pointer_to(has_biases(problem) ? "bias" : "in"), pointer_to("out")}};
  for (Argument& argument : more) launch.arguments.push_back(std::move(argument));
  launch.arguments.push_back(matrix_argument(problem));
  return {.what = std::move(launch)};
}

Plan row_plan(const PlanRequest& request, const std::string& function, const row_grid& grid) {
  Plan plan{.buffers = buffers(request.problem), .steps = {}};
  if (request.problem.elements() > 0) plan.steps.push_back(row_step(request, function, grid));
  return plan;
}

std::string refusal(const Problem& problem, std::int64_t blocks, int vector_width) {
  if (problem.shape[1] > kMostBlocks) return "a row has more than 2^31 - 1 elements";
  if (blocks > kMostBlocks) return "more blocks than a grid has";
  if (problem.shape[1] % vector_width != 0) return "the length of rows must be a multiple of vector_width";
  return {};
}

double steps_of(const Problem& problem, std::int64_t row_threads) {
  constexpr std::int64_t kOfCombination = 4;
  const std::int64_t each = 2 * divide_up(problem.shape[1], row_threads) + (row_threads > 1 ? kOfCombination : 0);
  return static_cast<double>(problem.shape[0]) * static_cast<double>(each * row_threads);
}

int levels_of(int leaves) {
  int levels = 0;
  while (1 << levels < leaves) ++levels;
  return levels;
}

}  // namespace warpwright::rows
