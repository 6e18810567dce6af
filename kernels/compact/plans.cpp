// Plans shared by the compactions.
#include "kernels/compact/plans.hpp"

namespace warpwright::compact {

std::vector<Buffer> buffers(const Problem& problem) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements()},
          {.name = "out", .role = Role::out, .type = problem.type(), .count = problem.elements()},
          {.name = "count", .role = Role::out, .type = ElementType::i64, .count = 1}};
}

std::string predicate_name(const Problem& problem) {
  return "warpwright::compact::" + problem.option("predicate");
}

Plan empty_plan(const Problem& problem) {
  return {.buffers = buffers(problem),
          .steps = {{.what = Memset{.buffer = "count", .count = 1, .value = value(std::int64_t{0})}}}};
}

}  // namespace warpwright::compact
