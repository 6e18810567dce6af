// Plans shared by the convolutions.
#include "kernels/convolution/plans.hpp"

#include "kernels/convolution/filter.cuh"

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

Step filter_upload(const Problem& problem) {
  return {.what = ConstantUpload{.symbol = "warpwright::convolution::filter_values<" +
                                           std::string(name_of(problem.type())) + ", " + std::to_string(taps(problem)) +
                                           ">",
                                 .buffer = "filter",
                                 .bytes = buffers(problem)[1].bytes()}};
}

std::string too_large_for_constants(const Problem& problem) {
  const std::int64_t bytes = buffers(problem)[1].bytes();
  if (bytes <= constant_bytes) return {};
  return "the filter takes " + std::to_string(bytes) + " bytes of constant memory, of which there are " +
         std::to_string(constant_bytes);
}

}  // namespace warpwright::convolution
