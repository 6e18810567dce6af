// Parameter space and launch plan of convolution/register_tiled.
#include "kernels/convolution/register_tiled.cuh"

#include "kernels/convolution/plans.hpp"

namespace warpwright::convolution {
namespace {

using P = register_tiled_params;

/// Most registers for sums, and for the filter: a thread has 255, and also keeps at least two rows of pixels.
constexpr std::int64_t kMostSums = 144;
constexpr std::int64_t kMostWeights = 90;
constexpr std::int64_t kMostOfBoth = 160;
/// Most products in the loop's body; with more, compiling takes too long.
constexpr std::int64_t kMostProducts = 9300;

BlockTile tile_of(const P& p) {
  return {.rows = std::int64_t{p.block_y} * p.rows_per_thread,
          .columns = std::int64_t{p.block_x} * p.columns,
          .threads = {.x = static_cast<std::uint32_t>(p.block_x), .y = static_cast<std::uint32_t>(p.block_y)}};
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  if (p.filter_in == weights::constant) plan.steps.push_back(filter_upload(problem));
  plan.steps.push_back(tile_launch(request, "register_tiled", tile_of(p), {"image", "filter", "out"}));
  return plan;
}

/// Number of rows of products in the loop's body: rows that contribute to all outputs, or only to some; if rows are
/// skipped, the code for the latter occurs twice.
std::int64_t rows_at_once(const P& p) {
  return p.unroll == 0 ? p.rows_per_thread : p.skips ? 2 : 1;
}

std::string supports(const P& p, const Problem& problem, const Device&) {
  const std::int64_t words = static_cast<std::int64_t>(size_of(problem.type())) / 4;
  const auto more = [](std::int64_t count, const std::string& what, std::int64_t most) {
    return count > most ? std::to_string(count) + " " + what + ", more than " + std::to_string(most) : std::string();
  };
  const std::int64_t sums = problem.integer("filter") * p.columns * words;
  const std::int64_t held = p.filter_in == weights::registers ? taps(problem) * words : 0;
  for (const std::string& reason :
       {more(sums, "registers of sums", kMostSums), more(held, "registers of weights", kMostWeights),
        more(sums + held, "registers of sums and weights", kMostOfBoth),
        more(taps(problem) * p.columns * rows_at_once(p), "products in the loop's body", kMostProducts)})
    if (!reason.empty()) return reason;
  return {};
}

/// Every thread computes all taps for its rows, and for the rows above and below that its first and last outputs need.
double steps(const P& p, const Problem& problem) {
  if (problem.elements() == 0) return 0;
  const std::int64_t filter = problem.integer("filter");
  const std::int64_t rows = problem.shape[0] + divide_up(problem.shape[0], p.rows_per_thread) * (filter - 1);
  const std::int64_t columns = divide_up(problem.shape[1], p.columns) * p.columns;
  return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(taps(problem));
}

}  // namespace

Kernel register_tiled_kernel() {
  return make_kernel<P>({
      .pattern = "convolution",
      .name = "register_tiled",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_x", &P::block_x, {32, 64, 128})
                   .axis("block_y", &P::block_y, {1, 2, 4, 8})
                   .axis("rows_per_thread", &P::rows_per_thread, {2, 4, 8, 16, 32, 64, 128})
                   .renamed("coarsening", "rows_per_thread")
                   .axis("columns", &P::columns, {4, 8})
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("ahead", &P::ahead, {0, 1})
                   .axis("unroll", &P::unroll, {0, 1})
                   .axis("filter_in", &P::filter_in, {weights::constant, weights::registers})
                   .axis("skips", &P::skips, {false, true})
                   .axis("store", &P::store, {block::store_hint::plain, block::store_hint::streaming})
                   .axis("min_blocks", &P::min_blocks, {1, 3, 6, 12})
                   .require("where all rows are unrolled, what is part of no output is left out",
                            [](const P& p) { return p.unroll > 0 || p.skips; })
                   .require("an SM holds the threads of min_blocks blocks",
                            [](const P& p, const Surroundings& around) {
                              return p.block_x * p.block_y * p.min_blocks <= around.device.max_threads_per_sm;
                            })
                   .require("block of 64 to 256 threads",
                            [](const P& p) { return p.block_x * p.block_y >= 64 && p.block_x * p.block_y <= 256; }),
      .plan = plan,
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{tile_of(p).rows, tile_of(p).columns};
          },
      // Every sum is a chain of fused multiply-adds over the taps.
      .depth = [](const P&, const Problem& problem, const Device&) { return static_cast<double>(taps(problem)); },
      .supports = supports,
      .steps = steps,
      // Vectors of one row for a filter of 5, times the rows in flight.
      .loads_in_flight =
          [](const P& p) {
            return (p.ahead + 1) * (p.columns / p.vector_width + 2 * static_cast<int>(divide_up(2, p.vector_width)));
          },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::convolution
