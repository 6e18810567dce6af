// Plans shared by the kernels of reduce.
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

void add_arrived(Plan& plan) {
  plan.buffers.push_back(
      {.name = "arrived", .role = Role::scratch, .type = ElementType::u32, .count = 1, .self_restoring = true});
}

Launch launch(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size,
              const std::string& from, const std::string& out, const std::string& partials, std::int64_t count) {
  return {
      .entry = request.entry(function, {std::string(name_of(request.problem.type())), operator_name(request.problem)}),
      .grid = {.x = static_cast<std::uint32_t>(blocks)},
      .block = {.x = static_cast<std::uint32_t>(block_size)},
      .arguments = {pointer_to(from), pointer_to(out), pointer_to(partials), pointer_to("arrived"), value(count)}};
}

/// Copies the blocks' results to the host, which combines them and keeps the result.
void combine_on_host(Plan& plan, const Problem& problem, std::int64_t blocks) {
  const Buffer copied{.name = "partials.host",
                      .role = Role::scratch,
                      .type = problem.type(),
                      .count = blocks,
                      .where = Where::pageable};
  for (Buffer& buffer : plan.buffers)
    if (buffer.name == "out") buffer.where = Where::pageable;
  plan.buffers.push_back(copied);
  const std::string type(name_of(problem.type()));
  plan.steps.push_back({.what = Copy{.from = "partials", .to = copied.name, .bytes = copied.bytes()}});
  plan.steps.push_back({.what = HostWork{.source = "kernels/reduce/finish_on_host.cuh",
                                         .function = "warpwright::reduce::on_host::finish_on_host<" + type +
                                                     ", warpwright::reduce::on_host::" + problem.option("op") + ">",
                                         .arguments = {pointer_to(copied.name), pointer_to("out"), value(blocks)},
                                         .accesses = {{.buffer = copied.name, .bytes = copied.bytes()},
                                                      {.buffer = "out",
                                                       .bytes = static_cast<std::int64_t>(size_of(problem.type())),
                                                       .writes = true}}}});
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

bool is_deterministic(finish finish, const Problem& problem) {
  return finish != finish::atomic || !is_floating(problem.type());
}

Plan block_plan(const PlanRequest& request, const std::string& function, const Sections& sections) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const std::int64_t sections_of_in = divide_up(problem.elements(), sections.per_block);
  if (sections.finish != finish::second_kernel)
    return grid_plan(request, function, sections.finish, sections_of_in, sections.block_size);
  Plan plan{.buffers = buffers(problem), .steps = {}};
  add_arrived(plan);
  const int levels = repeated_levels(problem.elements(), sections.per_block);
  std::string from = "in";
  std::int64_t left = problem.elements();
  for (int level = 0; level < levels; ++level) {
    const std::int64_t blocks = divide_up(left, sections.per_block);
    std::string to = "out";
    if (level + 1 < levels) {
      to = level % 2 == 0 ? "partials" : "partials_2";
      if (level < 2)
        plan.buffers.push_back({.name = to, .role = Role::scratch, .type = problem.type(), .count = blocks});
    }
    plan.steps.push_back({.what = launch(request, function, blocks, sections.block_size, from, "out", to, left)});
    from = to;
    left = blocks;
  }
  return plan;
}

double block_depth(const Problem& problem, const Sections& sections, double depth_of_block) {
  if (sections.finish == finish::second_kernel)
    return repeated_levels(problem.elements(), sections.per_block) * depth_of_block;
  return depth_of_block +
         finish_depth(sections.finish, divide_up(problem.elements(), sections.per_block), sections.block_size);
}

std::vector<std::vector<std::int64_t>> block_edges(const Sections& sections) {
  if (sections.finish == finish::atomic || sections.finish == finish::host) return {};
  const std::int64_t values = sections.finish == finish::last_block ? sections.block_size : sections.per_block;
  return {{values * sections.per_block}, {values * sections.per_block + 1}};
}

void reduce_in_place(Plan& plan) {
  const Buffer in = plan.buffer("in");
  for (Step& step : plan.steps)
    if (auto* launch = std::get_if<Launch>(&step.what); launch != nullptr && launch->arguments[0] == pointer_to("in"))
      launch->arguments[0] = pointer_to("work");
  plan.buffers.push_back({.name = "work", .role = Role::scratch, .type = in.type, .count = in.count});
  plan.steps.insert(plan.steps.begin(),
                    {.what = Copy{.from = "in", .to = "work", .bytes = in.bytes()}, .timed = false});
}

Plan grid_plan(const PlanRequest& request, const std::string& function, finish finish, std::int64_t blocks,
               int block_size) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const std::string type(name_of(problem.type()));
  // The result of a single block needs no combining, so it is stored directly as the result.
  const bool is_alone = finish == finish::second_kernel && blocks == 1;

  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.push_back({.name = "partials",
                          .role = Role::scratch,
                          .type = problem.type(),
                          .count = finish == finish::atomic ? 0 : blocks});
  add_arrived(plan);
  if (finish == finish::atomic)
    plan.steps.push_back({.what = Memset{.buffer = "out", .count = 1, .value = identity(problem)}});
  // If the host combines, no kernel writes the result.
  const std::string out = finish == finish::host ? "partials" : "out";
  plan.steps.push_back({.what = launch(request, function, blocks, block_size, "in", out, is_alone ? "out" : "partials",
                                       problem.elements())});
  if (finish == finish::second_kernel && !is_alone)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::reduce::finish_partials<" + type + ", " + operator_name(problem) + ">",
                        .grid = {.x = 1},
                        .block = {.x = 512},
                        .arguments = {pointer_to("partials"), pointer_to("out"), value(static_cast<int>(blocks))}}});
  if (finish == finish::host) combine_on_host(plan, problem, blocks);
  return plan;
}

double finish_depth(finish finish, std::int64_t blocks, int threads) {
  constexpr double kShuffles = 10;
  const auto results = static_cast<double>(blocks);
  return finish == finish::atomic || finish == finish::host ? results : results / threads + 1 + kShuffles;
}

std::int64_t persistent_blocks(const Problem& problem, const Device& device, std::int64_t per_block,
                               int blocks_per_sm) {
  return std::clamp<std::int64_t>(divide_up(problem.elements(), per_block), 1,
                                  std::int64_t{device.sm_count} * blocks_per_sm);
}

}  // namespace warpwright::reduce
