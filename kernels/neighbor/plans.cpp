// Boxes, buffers and arguments shared by the plans of neighbor.
#include "kernels/neighbor/plans.hpp"

#include "kernels/neighbor/box.cuh"
#include "kernels/neighbor/geometry.hpp"

namespace warpwright::neighbor {
std::vector<Buffer> buffers(const Problem& problem) {
  const std::int64_t bodies = problem.shape[0];
  return {{.name = "positions", .role = Role::in, .type = problem.type(), .count = bodies * dim_of(problem)},
          {.name = "count", .role = Role::out, .type = ElementType::i32, .count = bodies},
          {.name = "list", .role = Role::out, .type = ElementType::i32, .count = bodies * problem.integer("capacity")},
          {.name = "overflow", .role = Role::out, .type = ElementType::i32, .count = 1}};
}

std::vector<std::string> entry_arguments(const Problem& problem, bool with_layout) {
  std::vector<std::string> arguments{std::string(name_of(problem.type())), std::to_string(dim_of(problem)),
                                     "warpwright::neighbor::boundary::" + problem.option("boundary")};
  if (with_layout) arguments.push_back("warpwright::neighbor::layout::" + problem.option("layout"));
  return arguments;
}

ValueArgument box_argument(const Problem& problem) {
  const double side = static_cast<double>(side_of(problem)) / steps_per_angstrom;
  const double cutoff = problem.number("cutoff");
  const std::string type = "warpwright::neighbor::box<" + std::string(name_of(problem.type())) + ">";
  if (problem.type() == ElementType::f64) return value_of(type, box<double>{.side = side, .cutoff = cutoff});
  return value_of(type, box<float>{.side = static_cast<float>(side), .cutoff = static_cast<float>(cutoff)});
}

Launch launch_over_bodies(const Problem& problem, std::string entry, int block_size, std::vector<Argument> arguments,
                          int lanes) {
  return {.entry = std::move(entry),
          .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.shape[0] * lanes, block_size))},
          .block = {.x = static_cast<std::uint32_t>(block_size)},
          .arguments = std::move(arguments)};
}

Step zeros(const std::string& buffer, std::int64_t count) {
  return {.what = Memset{.buffer = buffer, .count = count, .value = value(0)}};
}

}  // namespace warpwright::neighbor
