// Plans shared by the convolutions.
#include "kernels/convolution/plans.hpp"

namespace warpwright::convolution {

std::vector<Buffer> buffers(const Problem& problem) {
  const ElementType type = problem.type();
  return {{.name = "image", .role = Role::in, .type = type, .count = problem.elements()},
          {.name = "filter", .role = Role::in, .type = type, .count = taps(problem)},
          {.name = "out", .role = Role::out, .type = type, .count = problem.elements()}};
}

std::string border_name(const Problem& problem) {
  return "warpwright::convolution::border::" + problem.option("border");
}

}  // namespace warpwright::convolution
