// Plans shared by the kernels of convolution.
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

Step tile_launch(const PlanRequest& request, const std::string& function, const BlockTile& tile,
                 const std::vector<std::string>& buffers) {
  const Problem& problem = request.problem;
  const std::int64_t rows = problem.shape[0];
  const std::int64_t columns = problem.shape[1];
  const std::int64_t blocks = divide_up(rows, tile.rows) * divide_up(columns, tile.columns);
  std::vector<Argument> arguments;
  for (const std::string& buffer : buffers) arguments.push_back(pointer_to(buffer));
  arguments.insert(arguments.end(), {value(rows), value(columns)});
  return {.what = Launch{.entry = request.entry(function, {std::string(name_of(problem.type())), border_name(problem),
                                                           std::to_string(problem.integer("filter"))}),
                         .grid = {.x = static_cast<std::uint32_t>(blocks)},
                         .block = tile.threads,
                         .shared_bytes = static_cast<std::uint32_t>(tile.shared_bytes),
                         .arguments = std::move(arguments)}};
}

std::string too_large_for_constants(const Problem& problem) {
  const std::int64_t bytes = buffers(problem)[1].bytes();
  if (bytes <= constant_bytes) return {};
  return "the filter takes " + std::to_string(bytes) + " bytes of constant memory, of which there are " +
         std::to_string(constant_bytes);
}

}  // namespace warpwright::convolution
