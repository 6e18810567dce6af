// The pattern convolution: every pixel becomes the weighted sum of the pixels around it, with weights from a square
// filter.
#include "kernels/model/pattern.hpp"

#include <cmath>

#include "kernels/convolution/data.cuh"
#include "kernels/convolution/laws.hpp"
#include "kernels/convolution/plans.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::convolution {
namespace {

/// Marks a position in `pixels_around` without a pixel.
constexpr std::int64_t kNoPixel = -1;

/// The pixel indices at positions -reach ... extent - 1 + reach of a row or column.
std::vector<std::int64_t> pixels_around(std::int64_t extent, std::int64_t reach, bool clamped) {
  std::vector<std::int64_t> pixels;
  for (std::int64_t at = -reach; at < extent + reach; ++at) {
    if (at < 0)
      pixels.push_back(clamped ? 0 : kNoPixel);
    else if (at >= extent)
      pixels.push_back(clamped ? extent - 1 : kNoPixel);
    else
      pixels.push_back(at);
  }
  return pixels;
}

/// Sums in long double, where products of floats are exact and no generated input overflows; infinities and NaN
/// propagate as in plain arithmetic.
template <class T>
Expectation convolved(const Problem& problem, const std::vector<T>& image, const std::vector<T>& filter) {
  const auto columns = static_cast<std::size_t>(problem.shape[1]);
  const auto size = static_cast<std::size_t>(problem.integer("filter"));
  const auto down = pixels_around(problem.shape[0], problem.integer("filter") / 2, clamps(problem));
  const auto right = pixels_around(problem.shape[1], problem.integer("filter") / 2, clamps(problem));
  std::vector<double> values(image.size());
  std::vector<double> magnitude(image.size());
  for (std::size_t at = 0; at < image.size(); ++at) {
    long double sum = 0;
    long double sum_of_sizes = 0;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        const std::int64_t row = down[at / columns + i];
        const std::int64_t column = right[at % columns + j];
        if (row == kNoPixel || column == kNoPixel) continue;
        const long double term =
            static_cast<long double>(filter[i * size + j]) *
            static_cast<long double>(image[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)]);
        sum += term;
        sum_of_sizes += std::fabs(term);
      }
    values[at] = static_cast<double>(sum);
    magnitude[at] = static_cast<double>(sum_of_sizes);
  }
  return {{.buffer = "out", .values = bytes_of(values), .magnitude = std::move(magnitude)}};
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return convolved(problem, elements_of<T>(inputs.at(0)), elements_of<T>(inputs.at(1)));
  });
}

constexpr int kReferenceBlocksPerSm = 8;

Reference reference(const Problem& problem, const Device& device) {
  const auto wide = [&](const char* name) {
    return Buffer{.name = name, .role = Role::out, .type = ElementType::f64, .count = problem.elements()};
  };
  const std::vector<Buffer> own = buffers(problem);
  Plan plan{.buffers = {own[0], own[1], wide("out.expected"), wide("out.magnitude")}, .steps = {}};
  if (problem.elements() > 0)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::convolution::reference<" + std::string(name_of(problem.type())) + ", " +
                                 border_name(problem) + ">",
                        .grid = {.x = static_cast<std::uint32_t>(device.sm_count * kReferenceBlocksPerSm)},
                        .block = {.x = 256},
                        .arguments = {pointer_to("image"), pointer_to("filter"), pointer_to("out.expected"),
                                      pointer_to("out.magnitude"), value(problem.shape[0]), value(problem.shape[1]),
                                      value(static_cast<int>(problem.integer("filter")))}}});
  return {.source = "kernels/convolution/reference.cuh",
          .plan = std::move(plan),
          .depth = static_cast<double>(taps(problem))};
}

/// A term with `depth` roundings on its way into the sum has an error of at most gamma(depth) times its size. Source:
/// N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1. A rounding below the smallest normal
/// number has an error less than that number, whether or not it is flushed to zero.
Bound bound(const Problem& problem, const std::string&, const InputKind& input, double depth) {
  if (input.exact) return {.comparison = Comparison::bounded, .relative = 0, .absolute = 0, .formula = "exact"};
  const double roundings = depth * unit_roundoff(problem.type());
  return {.comparison = Comparison::bounded,
          .relative = roundings / (1 - roundings),
          .absolute = depth * smallest_normal(problem.type()),
          .formula = "gamma(depth) * sum |filter * image| + depth * smallest normal"};
}

/// An input in addition to the generic ones: a filter of zeros, which has no largest tap.
constexpr const char* kNoWeights = "no_weights";

std::vector<InputKind> inputs(const Problem& problem) {
  std::vector<InputKind> kinds = generic_inputs();
  if (is_separable(problem)) kinds.push_back({.name = kNoWeights, .exact = true});
  return kinds;
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  if (!is_separable(problem)) return generic_fills(buffers(problem), kind);
  const bool is_nothing = kind == kNoWeights;
  const product factors = is_nothing ? product::nothing : kind == "exact" ? product::integers : product::fractions;
  return {generic_fill(problem.type(), is_nothing ? "exact" : kind),
          with_type_of<float, double>(problem.type(), [&]<class T>(T) {
            return make_fill("kernels/convolution/data.cuh",
                             "warpwright::convolution::outer_product<" + std::string(name_of(problem.type())) + ">",
                             outer_product<T>{static_cast<int>(problem.integer("filter")), factors});
          })};
}

/// A filter that is an outer product needs only two sums of its width per pixel.
Work work(const Problem& problem) {
  const auto size = static_cast<double>(size_of(problem.type()));
  const auto pixels = static_cast<double>(problem.elements());
  const auto weights = static_cast<double>(taps(problem));
  const double least = is_separable(problem) ? 2 * problem.number("filter") : weights;
  return {.bytes_read = problem.elements() == 0 ? 0 : (pixels + weights) * size,
          .bytes_written = pixels * size,
          .operations = 2 * pixels * least,
          .arithmetic = problem.type(),
          .steps = pixels * weights};
}

}  // namespace

Pattern convolution_pattern() {
  return {
      .name = "convolution",
      .summary =
          "out[y][x] = sum of filter[i][j] * image[y + i - r][x + j - r], r = filter / 2: the filter is not turned "
          "(cross-correlation, as deep learning libraries have it); any row-major image; with form=separable the "
          "filter is "
          "a product of a column and a row",
      .extents = {"rows", "columns"},
      .variants = {{"border", {"zero", "clamp"}}, {"form", {"any", "separable"}}},
      .numbers = {{.name = "filter",
                   .low = 3,
                   .high = 127,
                   .step = 2,
                   .preferred = 5,
                   .edges = {3, 5, 7, 9, 11, 17, 33, 127}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .data = {{.name = "uniform"}},  // times do not depend on values
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{4096, 4096}},
      .tuning_settings = {{{"filter", "5"}}},
      .trace_shape = {64, 128},
      .buffers = buffers,
      .inputs = inputs,
      .fills = fills,
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount = elements_as("pixels"),
      .laws = laws(),
  };
}

}  // namespace warpwright::convolution
