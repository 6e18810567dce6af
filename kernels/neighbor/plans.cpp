// Boxes, buffers and arguments shared by the plans of neighbour lists.
#include "kernels/neighbor/plans.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/neighbor/box.cuh"
#include "kernels/neighbor/data.cuh"

namespace warpwright::neighbor {
namespace {

/// The smallest r for which each * r^dim >= wanted, at least 1.
std::int64_t root_at_least(std::int64_t wanted, std::int64_t each, int dim) {
  const std::int64_t needed = divide_up(wanted, each);
  const std::int64_t root = whole_root(needed, dim);
  return std::max<std::int64_t>(power(root, dim) < needed ? root + 1 : root, 1);
}

}  // namespace

int dim_of(const Problem& problem) {
  return problem.option("dim") == "2d" ? 2 : 3;
}

std::int64_t power(std::int64_t base, int exponent) {
  std::int64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

std::int64_t whole_root(std::int64_t limit, int dim) {
  std::int64_t low = 0;
  // No power overflows: 2^31 squared and 2^20 cubed are below 2^63.
  std::int64_t high = dim == 2 ? std::int64_t{1} << 31 : std::int64_t{1} << 20;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (power(middle, dim) <= limit)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

std::int64_t side_of(const Problem& problem) {
  const int dim = dim_of(problem);
  const std::int64_t bodies = problem.shape[0];
  if (problem.data == "honeycomb") return honeycomb_square * root_at_least(bodies, 112, 2);
  const std::int64_t in_cell = dim == 3 ? 4 : 2;
  if (problem.data == "fcc") return fcc_edge * root_at_least(bodies, in_cell, dim);
  return root_at_least(std::max<std::int64_t>(bodies, 1) * power(fcc_edge, dim), in_cell, dim);
}

std::int64_t cutoff_of(const Problem& problem) {
  return std::llround(problem.number("cutoff") * steps_per_angstrom);
}

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
