// The pattern image_histogram: for each tile of an image, how many of its pixels fall in each bin.
// No vendor baseline: CUB and NPP count one region of interest per call; no library of the toolkit counts all tiles of
// an image.
#include "kernels/model/pattern.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/image_histogram/plans.hpp"
#include "kernels/model/elements.hpp"

namespace warpwright::image_histogram {
namespace {

using Counts = std::vector<std::uint32_t>;

/// Side length of a tile in pixels; no tile is larger than this number allows.
Number side(const char* name) {
  return {.name = name, .low = 1, .high = 4096, .preferred = 64, .edges = {64, 1, 7, 32, 33, 250}};
}

Counts counted(const Problem& problem, const Bytes& image) {
  const tiling tiles = tiling_of(problem);
  const auto bins = static_cast<std::size_t>(problem.integer("bins"));
  Counts counts(static_cast<std::size_t>(tiles.tiles) * bins);
  binned::with_key(problem, [&]<class Key>(Key) {
    const std::vector<Key> keys = elements_of<Key>(image);
    for (std::int64_t at = 0; at < problem.elements(); ++at) {
      const std::size_t bin = binned::bin_of(keys[static_cast<std::size_t>(at)], bins);
      const std::int64_t tile =
          at / tiles.columns / tiles.tile_rows * tiles.tiles_across + at % tiles.columns / tiles.tile_columns;
      if (bin < bins) ++counts[static_cast<std::size_t>(tile) * bins + bin];
    }
  });
  return counts;
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  return {{.buffer = "out", .values = bytes_of(counted(problem, inputs[0]))}};
}

Reference reference(const Problem& problem, const Device& device) {
  constexpr int kBlock = 256;
  const std::vector<Buffer> own = buffers(problem);
  Plan plan{.buffers = {own[0], own[1]}, .steps = {}};
  plan.buffers[1].name = "out.expected";
  if (problem.elements() > 0) {
    plan.steps.push_back({.what = Memset{.buffer = "out.expected", .count = own[1].count, .value = value(0U)}});
    const std::int64_t blocks =
        std::min(divide_up(problem.elements(), kBlock), std::int64_t{device.sm_count} * (2048 / kBlock));
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::image_histogram::reference<" + std::string(name_of(problem.type())) + ">",
                        .grid = {.x = static_cast<std::uint32_t>(blocks)},
                        .block = {.x = kBlock},
                        .arguments = {pointer_to("in"), pointer_to("out.expected"),
                                      value(static_cast<unsigned>(problem.integer("bins"))), value(problem.shape[0]),
                                      value(problem.shape[1]), value(problem.integer("tile_y")),
                                      value(problem.integer("tile_x"))}}});
  }
  return {.source = "kernels/image_histogram/reference.cuh", .plan = std::move(plan)};
}

Work work(const Problem& problem) {
  const auto pixels = static_cast<double>(problem.elements());
  const double counters = static_cast<double>(tiling_of(problem).tiles) * problem.number("bins");
  return {.bytes_read = pixels * static_cast<double>(size_of(problem.type())),
          .bytes_written = counters * sizeof(std::uint32_t),
          .steps = pixels + counters};
}

/// The bins counted by the kernel under test.
Counts counts_of(const Problem& problem, const Bytes& image, const Runner& run) {
  return elements_of<std::uint32_t>(run(problem, {image})[0]);
}

/// Number of pixels of a tile, which may be cut off at the edges.
std::int64_t pixels_of(const Problem& problem, std::int64_t tile_row, std::int64_t tile_column) {
  const std::int64_t rows =
      std::min(problem.integer("tile_y"), problem.shape[0] - tile_row * problem.integer("tile_y"));
  const std::int64_t columns =
      std::min(problem.integer("tile_x"), problem.shape[1] - tile_column * problem.integer("tile_x"));
  return rows * columns;
}

/// Checks the sum over the bins, for data in which every pixel has a bin.
std::string sum(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Counts counts = counts_of(problem, inputs[0], run);
  const std::int64_t bins = problem.integer("bins");
  const std::int64_t across = tiling_of(problem).tiles_across;
  for (std::int64_t tile = 0; tile * bins < std::ssize(counts); ++tile) {
    const auto first = counts.begin() + tile * bins;
    if (std::accumulate(first, first + bins, std::int64_t{0}) != pixels_of(problem, tile / across, tile % across))
      return "the bins of tile " + std::to_string(tile) + " do not add up to its pixels";
  }
  return "";
}

/// Exchanging rows and columns of the image exchanges those of the tiles.
std::string transposition(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  Problem turned = problem;
  turned.shape = {problem.shape[1], problem.shape[0]};
  std::swap(turned.numbers["tile_x"], turned.numbers["tile_y"]);
  const auto exchanged = [](const auto& values, std::int64_t rows, std::int64_t columns, std::int64_t width) {
    auto made = values;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column)
        std::copy_n(values.begin() + (row * columns + column) * width, width,
                    made.begin() + (column * rows + row) * width);
    return made;
  };
  const Bytes image =
      exchanged(inputs[0], problem.shape[0], problem.shape[1], static_cast<std::int64_t>(size_of(problem.type())));
  const tiling tiles = tiling_of(problem);
  const std::int64_t down = tiles.tiles / std::max<std::int64_t>(tiles.tiles_across, 1);
  const Counts counts =
      exchanged(counts_of(problem, inputs[0], run), down, tiles.tiles_across, problem.integer("bins"));
  return counts == counts_of(turned, image, run) ? "" : "the transposed image has other counts";
}

/// Cutting an image between two rows of tiles gives the tiles of its upper part, then those of its lower part.
std::string stacking(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::int64_t down = divide_up(problem.shape[0], problem.integer("tile_y"));
  const std::int64_t cut = std::min(down / 2 * problem.integer("tile_y"), problem.shape[0]);
  const auto middle = inputs[0].begin() + cut * problem.shape[1] * static_cast<std::ptrdiff_t>(size_of(problem.type()));
  const auto part = [&](std::int64_t rows, const Bytes& image) {
    Problem smaller = problem;
    smaller.shape[0] = rows;
    return counts_of(smaller, image, run);
  };
  Counts both = part(cut, Bytes(inputs[0].begin(), middle));
  const Counts lower = part(problem.shape[0] - cut, Bytes(middle, inputs[0].end()));
  both.insert(both.end(), lower.begin(), lower.end());
  return both == counts_of(problem, inputs[0], run) ? "" : "the parts have other tiles than the whole";
}

/// The sum over all tiles equals one tile that covers the image.
std::string covering(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Number most = side("tile_x");
  if (problem.elements() == 0 || !most.allows(static_cast<double>(problem.shape[0])) ||
      !most.allows(static_cast<double>(problem.shape[1])))
    return "";
  Problem whole = problem;
  whole.numbers["tile_y"] = static_cast<double>(problem.shape[0]);
  whole.numbers["tile_x"] = static_cast<double>(problem.shape[1]);
  const Counts counts = counts_of(problem, inputs[0], run);
  Counts added(static_cast<std::size_t>(problem.integer("bins")));
  for (std::size_t i = 0; i < counts.size(); ++i) added[i % added.size()] += counts[i];
  return added == counts_of(whole, inputs[0], run) ? "" : "the tiles do not add up to the whole image";
}

}  // namespace

Pattern image_histogram_pattern() {
  return {
      .name = "image_histogram",
      .summary =
          "how many pixels of each tile of tile_y x tile_x fall in each bin: whole numbers below the number of bins, "
          "or "
          "even ranges of [0, 1) for floats; ragged tiles at the lower and right edges; any row-major image",
      .extents = {"rows", "columns"},
      .numbers = {binned::bins(), side("tile_x"), side("tile_y")},
      .types = binned::types(),
      .data = binned::data(),
      .tuning_types = {{ElementType::u8}},
      .tuning_shapes = {{8192, 8192}},
      .tuning_settings = {{{"bins", "256"}}},
      .trace_shape = {256, 256},
      .buffers = buffers,
      .inputs = binned::inputs,
      .fills = binned::fills,
      .oracle = oracle,
      .reference = reference,
      .bound = same_values,
      .work = work,
      .amount = elements_as("pixels"),
      .laws = {{.name = "sum", .broken = sum, .input = "zipf"},
               {.name = "transposition", .broken = transposition, .input = "exact"},
               {.name = "stacking", .broken = stacking, .input = "uniform"},
               {.name = "covering", .broken = covering, .input = "exact"}},
  };
}

}  // namespace warpwright::image_histogram
