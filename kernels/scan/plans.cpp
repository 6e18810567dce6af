// Plans shared by the kernels of scan.
#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

/// An array to scan, in place or from one buffer to another.
struct Array {
  std::string from, to;
  std::int64_t elements = 0;
};

Launch launch(const std::string& entry, std::int64_t blocks, const TileShape& shape, ElementType type,
              std::vector<Argument> arguments) {
  return {.entry = entry,
          .grid = {.x = static_cast<std::uint32_t>(blocks)},
          .block = {.x = static_cast<std::uint32_t>(shape.block_size)},
          .shared_bytes = static_cast<std::uint32_t>(shape.shared_elements * static_cast<int>(size_of(type))),
          .arguments = std::move(arguments)};
}

/// Appends the steps that scan an array: scan its tiles, scan their totals, add the prefix before each tile.
void scan_array(Plan& plan, const PlanRequest& request, const std::string& function, const TileShape& shape,
                const Array& array, int level) {
  const Problem& problem = request.problem;
  const std::string type(name_of(problem.type()));
  const std::string op = operator_name(problem);
  const std::string kind = level == 0 ? kind_name(problem) : "warpwright::scan::kind::exclusive";
  const std::int64_t tiles = divide_up(array.elements, shape.tile);
  const std::string totals = "totals_" + std::to_string(level);
  plan.buffers.push_back({.name = totals, .role = Role::scratch, .type = problem.type(), .count = tiles});
  const auto add = [&](const std::string& entry, std::int64_t blocks, std::vector<Argument> arguments) {
    plan.steps.push_back({.what = launch(entry, blocks, shape, problem.type(), std::move(arguments))});
  };

  if (!shape.has_totals_pass || tiles == 1)
    add(request.entry(function, {type, op, kind}), tiles,
        {pointer_to(array.from), pointer_to(array.to), pointer_to(totals), value(array.elements)});
  else
    add(request.entry(function + "_totals", {type, op}), tiles,
        {pointer_to(array.from), pointer_to(totals), value(array.elements)});
  if (tiles == 1) return;
  scan_array(plan, request, function, shape, {.from = totals, .to = totals, .elements = tiles}, level + 1);
  if (shape.has_totals_pass) {
    add(request.entry(function + "_behind", {type, op, kind}), tiles,
        {pointer_to(array.from), pointer_to(array.to), pointer_to(totals), value(array.elements)});
  } else {
    const std::string numbers = std::to_string(shape.block_size) + ", " +
                                std::to_string(shape.tile / shape.block_size) + ", " +
                                std::to_string(shape.vector_width);
    add("warpwright::scan::add_before<" + type + ", " + op + ", " + numbers + ">", tiles - 1,
        {pointer_to(array.to), pointer_to(totals), value(array.elements)});
    std::get<Launch>(plan.steps.back().what).shared_bytes = 0;
  }
}

}  // namespace

std::vector<Buffer> buffers(const Problem& problem) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements()},
          {.name = "out", .role = Role::out, .type = problem.type(), .count = problem.elements()}};
}

std::string operator_name(const Problem& problem) {
  return "warpwright::block::" + problem.option("op");
}

std::string kind_name(const Problem& problem) {
  return "warpwright::scan::kind::" + problem.option("kind");
}

std::vector<std::string> arguments(const Problem& problem) {
  return {std::string(name_of(problem.type())), operator_name(problem), kind_name(problem)};
}

Plan three_kernel_plan(const PlanRequest& request, const std::string& function, const TileShape& shape) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() > 0)
    scan_array(plan, request, function, shape, {.from = "in", .to = "out", .elements = problem.elements()}, 0);
  return plan;
}

int levels(std::int64_t elements, std::int64_t tile) {
  int count = 1;
  for (std::int64_t left = elements; left > tile; left = divide_up(left, tile)) ++count;
  return count;
}

double three_kernel_depth(const Problem& problem, std::int64_t tile, int depth) {
  return levels(problem.elements(), tile) * (depth + 1.0);
}

std::vector<std::vector<std::int64_t>> level_edges(std::int64_t tile) {
  return {{tile + 1}, {tile * tile}, {tile * tile + 1}};
}

bool fits_shared(int elements, int blocks, const Surroundings& around) {
  constexpr int kDeclared = 512;
  const int bytes = elements * static_cast<int>(size_of(around.type())) + kDeclared;
  return bytes <= around.device.shared_per_block_optin &&
         blocks * (bytes + around.device.shared_reserved_per_block) <= around.device.shared_per_sm;
}

}  // namespace warpwright::scan
