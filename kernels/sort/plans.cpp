// Plans shared by the kernels of sort.
#include "kernels/sort/plans.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::sort {

std::vector<Buffer> buffers(const Problem& problem, const std::string& suffix) {
  const std::int64_t count = problem.elements();
  const std::int64_t values = has_values(problem) ? count : 0;
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = count},
          {.name = "values", .role = Role::in, .type = ElementType::u32, .count = values},
          {.name = "out" + suffix, .role = Role::out, .type = problem.type(), .count = count},
          {.name = "values_out" + suffix, .role = Role::out, .type = ElementType::u32, .count = values}};
}

bool has_values(const Problem& problem) {
  return problem.option("items") == "pairs";
}

int key_size(const Problem& problem) {
  return static_cast<int>(size_of(problem.type()));
}

bit_range range_of(const Problem& problem) {
  const std::int64_t end = std::min<std::int64_t>(problem.integer("end_bit"), 8 * key_size(problem));
  return {.flip = problem.option("order") == "descending" ? ~0ULL : 0ULL,
          .begin = static_cast<int>(problem.integer("begin_bit")),
          .end = static_cast<int>(end)};
}

int compared_bits_of(const Problem& problem) {
  const bit_range range = range_of(problem);
  return std::max(range.end - range.begin, 0);
}

Argument range_argument(const Problem& problem) {
  return value_of("warpwright::sort::bit_range", range_of(problem));
}

ElementType offset_type(std::int64_t most) {
  return most < std::int64_t{1} << 32 ? ElementType::u32 : ElementType::u64;
}

std::string pairs_text(const Problem& problem) {
  return has_values(problem) ? "true" : "false";
}

std::string instance(const std::string& function, const std::vector<std::string>& arguments) {
  std::string entry = "warpwright::sort::" + function + "<";
  for (const std::string& argument : arguments) entry += (entry.back() == '<' ? "" : ", ") + argument;
  return entry + ">";
}

Launch launch_tiles(std::string entry, std::int64_t tiles, int block_size, std::vector<Argument> arguments) {
  return {.entry = std::move(entry),
          .grid = {.x = static_cast<std::uint32_t>(tiles)},
          .block = {.x = static_cast<std::uint32_t>(block_size)},
          .arguments = std::move(arguments)};
}

void add_passes(Plan& plan, const PassSteps& first, std::int64_t times, const PassSteps& next,
                const std::string& suffix) {
  // The first pass writes to the array for which the alternation ends with the last pass writing the output.
  std::pair<std::string, std::string> keys{"out" + suffix, "spare"};
  std::pair<std::string, std::string> values{"values_out" + suffix, "spare_values"};
  if (times > 0)
    for (const auto& [out, spare] : {keys, values})
      plan.buffers.push_back(scratch(spare, plan.buffer(out).type, plan.buffer(out).count));
  if (times % 2 == 1) {
    std::swap(keys.first, keys.second);
    std::swap(values.first, values.second);
  }
  for (Step& step : first({.keys = pointer_to("in"),
                    .values = pointer_to("values"),
                    .out = pointer_to(keys.first),
                    .values_out = pointer_to(values.first),
                    .before = value(0),
                    .index = value(0)}))
    plan.steps.push_back(std::move(step));
  if (times == 0) return;
  plan.steps.push_back({.what = Repeat{.times = times,
                                       .steps = next({.keys = pointer_to(keys.first),
                                                      .values = pointer_to(values.first),
                                                      .out = pointer_to(keys.second),
                                                      .values_out = pointer_to(values.second),
                                                      .before = value(1),
                                                      .index = IndexArgument{}}),
                                       .swaps = {keys, values}}});
}

Plan sort_plan(const Problem& problem, const std::function<void(Plan&)>& sort, const std::string& suffix) {
  Plan plan{.buffers = buffers(problem, suffix), .steps = {}};
  if (problem.elements() == 0) return plan;
  if (compared_bits_of(problem) > 0) {
    sort(plan);
    return plan;
  }
  plan.steps.push_back({.what = Copy{.from = "in", .to = "out" + suffix, .bytes = plan.buffer("in").bytes()}});
  if (has_values(problem))
    plan.steps.push_back(
        {.what = Copy{.from = "values", .to = "values_out" + suffix, .bytes = plan.buffer("values").bytes()}});
  return plan;
}

Buffer scratch(std::string name, ElementType type, std::int64_t count) {
  return {.name = std::move(name), .role = Role::scratch, .type = type, .count = count};
}

std::int64_t passes_of(const Problem& problem, int radix_bits) {
  return divide_up(compared_bits_of(problem), radix_bits);
}

double ballot_steps(const Problem& problem, int radix_bits) {
  const auto passes = static_cast<double>(passes_of(problem, radix_bits));
  return static_cast<double>(problem.elements()) * (passes * (radix_bits + 4) + 1);
}

std::vector<store> store_values() {
  return {store::direct, store::staged};
}

bool fits_staged(const Surroundings& around, int declared, store how, int block_size, int items) {
  constexpr int kMostDeclared = 48 * 1024;
  return declared <= kMostDeclared &&
         declared + staging_bytes(how, block_size, items, static_cast<int>(size_of(around.type()))) <=
             around.device.shared_per_block_optin;
}

}  // namespace warpwright::sort
