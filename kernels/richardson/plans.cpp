// Plans shared by the kernels of richardson.
#include "kernels/richardson/plans.hpp"

#include "kernels/richardson/sweep.cuh"
#include "kernels/runtime/storage.hpp"

namespace warpwright::richardson {
namespace {

ValueArgument rule_argument(const Problem& problem, int first) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return value_of("warpwright::richardson::sweep_rule<" + std::string(name_of(problem.type())) + ">",
                    sweep_rule<T>{.alpha = static_cast<T>(problem.number("alpha")),
                                  .tolerance = static_cast<T>(problem.number("tolerance")),
                                  .rows = static_cast<int>(problem.shape[0]),
                                  .first = first});
  });
}

}  // namespace

std::vector<Buffer> buffers(const Problem& problem) {
  const std::int64_t rows = problem.shape[0];
  const ElementType type = problem.type();
  std::vector<Buffer> made;
  if (is_sparse(problem)) {
    made.push_back({.name = "starts", .role = Role::in, .type = ElementType::i64, .count = rows + 1});
    made.push_back({.name = "columns", .role = Role::in, .type = ElementType::i32, .count = entries(problem)});
  }
  made.push_back({.name = "a", .role = Role::in, .type = type, .count = entries(problem)});
  made.push_back({.name = "f", .role = Role::in, .type = type, .count = rows});
  made.push_back({.name = "start", .role = Role::in, .type = type, .count = rows});
  made.push_back({.name = "x", .role = Role::out, .type = type, .count = rows});
  if (stops_early(problem)) made.push_back({.name = "taken", .role = Role::out, .type = type, .count = 1});
  return made;
}

std::string too_large(const Problem& problem) {
  return problem.shape[0] <= kMostRows ? "" : "has more rows than an int counts";
}

Plan sweeps_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size) {
  const Problem& problem = request.problem;
  const std::int64_t rows = problem.shape[0];
  const std::int64_t sweeps = problem.integer("sweeps");
  const ElementType type = problem.type();
  const ValueArgument zero = type == ElementType::f64 ? value(0.0) : value(0.0F);
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (stops_early(problem)) plan.steps.push_back({.what = Memset{.buffer = "taken", .count = 1, .value = zero}});
  if (rows == 0) return plan;
  if (sweeps == 0) {
    plan.steps.push_back({.what = Copy{.from = "start", .to = "x", .bytes = plan.buffer("x").bytes()}});
    return plan;
  }
  if (stops_early(problem))
    plan.steps.push_back({.what = Memset{.buffer = "largest", .count = sweeps, .value = value(std::uint64_t{0})}});
  else
    plan.buffers.push_back({.name = "taken", .role = Role::scratch, .type = type, .count = 1});
  plan.buffers.push_back(
      {.name = "largest", .role = Role::scratch, .type = ElementType::u64, .count = stops_early(problem) ? sweeps : 1});
  plan.buffers.push_back({.name = "other", .role = Role::scratch, .type = type, .count = sweeps == 1 ? 0 : rows});

  const auto sweep = [&](const std::string& from, const std::string& to, int first, Argument index) {
    Launch launch{
        .entry = request.entry(function + (is_sparse(problem) ? "_sparse" : ""),
                               {std::string(name_of(type)), "warpwright::richardson::stop::" + problem.option("stop")}),
        .grid = {.x = static_cast<std::uint32_t>(blocks)},
        .block = {.x = static_cast<std::uint32_t>(block_size)},
        .arguments = {}};
    if (is_sparse(problem)) launch.arguments = {pointer_to("starts"), pointer_to("columns")};
    for (const std::string& name :
         {std::string("a"), std::string("f"), from, to, std::string("taken"), std::string("largest")})
      launch.arguments.push_back(pointer_to(name));
    launch.arguments.push_back(rule_argument(problem, first));
    launch.arguments.push_back(std::move(index));
    return Step{.what = std::move(launch)};
  };
  const std::string first = sweeps % 2 == 1 ? "x" : "other";
  const std::string second = sweeps % 2 == 1 ? "other" : "x";
  plan.steps.push_back(sweep("start", first, 0, value(0)));
  if (sweeps > 1)
    plan.steps.push_back(
        {.what = Repeat{
             .times = sweeps - 1, .steps = {sweep(first, second, 1, IndexArgument{})}, .swaps = {{first, second}}}});
  return plan;
}

}  // namespace warpwright::richardson
