// Laws of convolution: impulse, shift, box filter, linearity.
#include "kernels/convolution/laws.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/convolution/plans.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::convolution {
namespace {

/// Compares `out` with `wanted` at every pixel for which it has a value. Empty, or the first difference.
template <class T, class Wanted>
std::string differs(const Problem& problem, const std::vector<T>& out, Wanted wanted) {
  const std::int64_t columns = problem.shape[1];
  for (std::int64_t at = 0; at < problem.elements(); ++at) {
    const T expected = wanted(at / columns, at % columns);
    const T got = out.at(static_cast<std::size_t>(at));
    if (!(got == expected))
      return fmt::format("out[{}][{}] is {} where {} was expected", at / columns, at % columns, got, expected);
  }
  return {};
}

/// Calls law(image, filter, convolve) with the problem's inputs as numbers; convolve(image, filter) returns the output.
template <class Law>
auto on_numbers(Law law) {
  return [law](const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
    return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
      const auto convolve = [&](const std::vector<T>& image, const std::vector<T>& filter) {
        return elements_of<T>(run(problem, {bytes_of(image), bytes_of(filter)}).at(0));
      };
      return law(problem, elements_of<T>(inputs.at(0)), elements_of<T>(inputs.at(1)), convolve);
    });
  };
}

/// Around an impulse the output is the filter rotated by 180 degrees. The law skips impulses at an edge, which a
/// clamping border would repeat, and empty images.
constexpr auto impulse = [](const Problem& problem, auto image, const auto& filter, auto convolve) -> std::string {
  const std::int64_t rows = problem.shape[0];
  const std::int64_t columns = problem.shape[1];
  const std::int64_t size = problem.integer("filter");
  if (image.empty() || (clamps(problem) && std::min(rows, columns) < 3)) return {};
  std::ranges::fill(image, 0);
  image.at(static_cast<std::size_t>(rows / 2 * columns + columns / 2)) = 1;
  return differs(problem, convolve(image, filter), [&](std::int64_t row, std::int64_t column) {
    const std::int64_t i = rows / 2 - row + size / 2;
    const std::int64_t j = columns / 2 - column + size / 2;
    const bool is_tap = i >= 0 && i < size && j >= 0 && j < size;
    return is_tap ? filter.at(static_cast<std::size_t>(i * size + j)) : 0;
  });
};

/// Where neither filter reaches across the border, the output moves with the image: here up and left by one pixel.
constexpr auto shift = [](const Problem& problem, const auto& image, const auto& filter, auto convolve) {
  const std::int64_t rows = problem.shape[0];
  const std::int64_t columns = problem.shape[1];
  const std::int64_t reach = problem.integer("filter") / 2;
  auto moved = image;
  if (!image.empty()) std::rotate(moved.begin(), moved.begin() + (columns + 1) % problem.elements(), moved.end());
  const auto still = convolve(image, filter);
  const auto out = convolve(moved, filter);
  return differs(problem, out, [&](std::int64_t row, std::int64_t column) {
    const bool is_inside = row >= reach && row + 1 + reach < rows && column >= reach && column + 1 + reach < columns;
    const std::int64_t at = row * columns + column;
    return is_inside ? still.at(static_cast<std::size_t>(at + columns + 1)) : out.at(static_cast<std::size_t>(at));
  });
};

/// For a constant image, a filter of ones gives the constant times the number of pixels under the filter. With a
/// clamping border that is all taps.
constexpr auto box = [](const Problem& problem, auto image, auto filter, auto convolve) {
  constexpr int kPixel = 3;
  const std::int64_t size = problem.integer("filter");
  std::ranges::fill(image, kPixel);
  std::ranges::fill(filter, 1);
  const auto covered = [&](std::int64_t at, std::int64_t extent) {
    if (clamps(problem)) return size;
    return std::min(at + size / 2, extent - 1) - std::max<std::int64_t>(at - size / 2, 0) + 1;
  };
  return differs(problem, convolve(image, filter), [&](std::int64_t row, std::int64_t column) {
    const std::int64_t pixels = covered(row, problem.shape[0]) * covered(column, problem.shape[1]);
    return static_cast<typename decltype(image)::value_type>(kPixel * pixels);
  });
};

/// The outputs of two images add up to the output of their sum.
constexpr auto linearity = [](const Problem& problem, const auto& image, const auto& filter, auto convolve) {
  auto other = image;
  std::ranges::reverse(other);
  auto both = image;
  std::ranges::transform(image, other, both.begin(), std::plus<>());
  const auto first = convolve(image, filter);
  const auto second = convolve(other, filter);
  return differs(problem, convolve(both, filter), [&](std::int64_t row, std::int64_t column) {
    const auto at = static_cast<std::size_t>(row * problem.shape[1] + column);
    return first.at(at) + second.at(at);
  });
};

}  // namespace

std::vector<Law> laws() {
  return {{.name = "an impulse gives the filter", .broken = on_numbers(impulse)},
          {.name = "a shift of the image shifts the output", .broken = on_numbers(shift)},
          {.name = "a box filter keeps a constant image", .broken = on_numbers(box)},
          {.name = "linearity", .broken = on_numbers(linearity)}};
}

}  // namespace warpwright::convolution
