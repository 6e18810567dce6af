// Plans shared by the reductions.
#include "kernels/reduce/plans.hpp"

#include <algorithm>
#include <limits>

#include "kernels/runtime/storage.hpp"

namespace warpwright::reduce {
namespace {

template <class T>
ValueArgument identity_of(const std::string& op) {
  using Limits = std::numeric_limits<T>;
  const T highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  const T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  return value(op == "sum" ? T(0) : op == "product" ? T(1) : op == "min" ? highest : lowest);
}

}  // namespace

std::vector<Buffer> buffers(const Problem& problem) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements()},
          {.name = "out", .role = Role::out, .type = problem.type(), .count = 1}};
}

ValueArgument identity(const Problem& problem) {
  return with_type_of<int, std::int64_t, float, double>(
      problem.type(), [&]<class T>(T) { return identity_of<T>(problem.option("op")); });
}

std::string operator_name(const Problem& problem) {
  return "warpwright::reduce::" + problem.option("op");
}

Plan empty_plan(const Problem& problem) {
  return {.buffers = buffers(problem),
          .steps = {{.what = Memset{.buffer = "out", .count = 1, .value = identity(problem)}}}};
}

int repeated_levels(std::int64_t count, std::int64_t per_block) {
  int levels = 0;
  for (std::int64_t left = count; left > 1 || levels == 0; left = divide_up(left, per_block)) ++levels;
  return levels;
}

Plan repeated_plan(const PlanRequest& request, const std::string& function, std::int64_t per_block, int block_size) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  Plan plan{.buffers = buffers(problem), .steps = {}};
  const std::string entry = request.entry(function, {std::string(name_of(problem.type())), operator_name(problem)});
  const int levels = repeated_levels(problem.elements(), per_block);
  std::string from = "in";
  std::int64_t left = problem.elements();
  for (int level = 0; level < levels; ++level) {
    const std::int64_t blocks = divide_up(left, per_block);
    std::string to = "out";
    if (level + 1 < levels) {
      to = level % 2 == 0 ? "partials" : "partials_2";
      if (level < 2)
        plan.buffers.push_back({.name = to, .role = Role::scratch, .type = problem.type(), .count = blocks});
    }
    plan.steps.push_back({.what = Launch{.entry = entry,
                                         .grid = {.x = static_cast<std::uint32_t>(blocks)},
                                         .block = {.x = static_cast<std::uint32_t>(block_size)},
                                         .arguments = {pointer_to(from), pointer_to(to), value(left)}}});
    from = to;
    left = blocks;
  }
  return plan;
}

std::int64_t persistent_blocks(const Problem& problem, const Device& device, std::int64_t per_block,
                               int blocks_per_sm) {
  return std::clamp<std::int64_t>(divide_up(problem.elements(), per_block), 1,
                                  std::int64_t{device.sm_count} * blocks_per_sm);
}

}  // namespace warpwright::reduce
